// Package told puts into words and figures what an ElasticJob tells of its life, the same for the terminal and for the
// page.
//
// What comes in are objects of the API and the time; what goes out are sentences, sizes over time, and the order in
// which jobs are looked at. It knows of no cluster, no terminal and no page.
package told
