// Package profiles is where what was learned of jobs is kept for others, and found again.
//
// What comes in is a job as it is seen; what goes out is what its run knows from then on, and TrainingProfiles.
package profiles
