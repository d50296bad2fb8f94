// Package table reads CSV files by the names in their header. Rows that cannot be read are left
// out and told of; only a file that is no table at all is an error.
//
// What comes in is text; what goes out are rows with the values of their columns, and the rows that were left out, each
// with the reason.
package table
