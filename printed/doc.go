// Package printed reads how far a training is from what it prints, as it is: nobody has to change the training.
//
// What comes in are bytes, in whatever pieces; what goes out is a Reading. The forms that are understood stand in the
// grammar, each with its examples: grammar.go lists its files. What a line says is put together in reader.go, and which
// of several counters counts the training is judged in rivals.go. What may mean several things is not guessed:
// Reading.Doubt says why nothing is told. testdata/frameworks has whole trainings of many frameworks, in templates,
// which the tests run in many ways.
//
// The package imports the standard library only, reads no clock, and takes bounded memory and time for whatever comes.
package printed
