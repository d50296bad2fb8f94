// Package page is the web page of the operator: all jobs and queues at a glance, and the life of one job.
//
// What comes in are ElasticJobs, Resizes and TrainingQueues from the cache; what goes out is HTML that needs no script
// and asks for nothing elsewhere. It writes nothing, and makes no request to the API server.
//
// What tenants write, names and messages, is hostile: html/template escapes it, and the policy that is sent along
// (Content-Security-Policy) lets no script run at all.
//
// Who may see what is a matter of the path, which the filter before it asks the API server about, as it does for
// /metrics: /takt/ has all jobs, /takt/namespaces/team-a/ those of one namespace. So RBAC can give either to anybody,
// there is no second authorization beside that of the cluster, and nobody sees more than a path that they were given.
// To go by what each reader may list of ElasticJobs would take a review for each namespace and reader, and code of ours
// between tenants.
package page
