package access

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/snapshot"
	"github.com/takt-dev/takt/elastic"
)

// Options are the flags that say which cluster is meant, as kubectl has them.
type Options struct {
	kubeconfig string
	overrides  clientcmd.ConfigOverrides
	operator   operatorOptions
}

// Bind adds the flags to a command. Help shows those that people use; the others of kubectl are there as well.
func (o *Options) Bind(flags *pflag.FlagSet) {
	flags.StringVar(&o.kubeconfig, "kubeconfig", "",
		"`file` that says how to reach clusters; without it KUBECONFIG, else ~/.kube/config")
	names := clientcmd.RecommendedConfigOverrideFlags("")
	names.CurrentContext.Description = "the `name` of the context in the kubeconfig"
	names.ContextOverrideFlags.Namespace.Description = "the `namespace`; without it, that of the context"
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	clientcmd.BindOverrideFlags(&o.overrides, all, names)
	all.VisitAll(func(f *pflag.Flag) {
		f.Hidden = f.Name != names.CurrentContext.LongName && f.Name != names.ContextOverrideFlags.Namespace.LongName
		flags.AddFlag(f)
	})
}

// BindOperator adds the flags that say where the operator is, for commands that ask it.
func (o *Options) BindOperator(flags *pflag.FlagSet) {
	flags.StringVar(&o.operator.file, "snapshot", "",
		"`file` with a snapshot, to be asked instead of the operator; - is standard input")
	o.BindOperatorNamespace(flags)
	flags.StringVar(&o.operator.url, "operator", "",
		"`address` of an operator that runs outside of the cluster, such as https://127.0.0.1:8443")
	flags.StringVar(&o.operator.ca, "operator-ca", "",
		"`file` with the certificate of --operator; none is needed for this machine")
}

// BindOperatorNamespace adds the flag that says where the operator runs.
func (o *Options) BindOperatorNamespace(flags *pflag.FlagSet) {
	flags.StringVar(&o.operator.namespace, "operator-namespace", "takt-system", "`namespace` that the operator runs in")
}

// Asked is a job as another command is asked for it, with the flags that say where it is, as they were given, and with
// its namespace where it is not in the one of the context. A snapshot in a file is asked instead of a cluster, and
// names jobs with their namespaces.
func (o *Options) Asked(namespace, name, home string, flags *pflag.FlagSet) string {
	where := []string{"kubeconfig", "context", "namespace", "operator-namespace", "operator", "operator-ca"}
	switch {
	case o.OfFile():
		name, where = namespace+"/"+name, []string{"snapshot"}
	case namespace != home:
		name += " --namespace " + namespace
	}
	for _, flag := range where {
		if f := flags.Lookup(flag); f != nil && f.Changed {
			name += " --" + flag + " " + f.Value.String()
		}
	}
	return name
}

// Cluster is the cluster that is meant.
type Cluster struct {
	// Client reads and writes objects; every read is of what is stored.
	Client client.Client
	// Core is for what Client does not do: discovery, reviews of rights, tokens.
	Core kubernetes.Interface
	// Namespace is the one that is meant where no other is named, and Chosen says that -n names it.
	Namespace string
	Chosen    bool
	// Address is where its API server is.
	Address string

	config   *rest.Config
	operator operatorOptions
}

// Open finds the cluster. Nothing is asked of it before it is used.
func (o *Options) Open() (*Cluster, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.kubeconfig
	loaded := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &o.overrides)
	config, err := loaded.ClientConfig()
	if err != nil {
		return nil, o.unreadable(rules, err)
	}
	namespace, _, err := loaded.Namespace()
	if err != nil {
		return nil, o.unreadable(rules, err)
	}
	c, err := newCluster(config, namespace, o.operator)
	if err == nil {
		c.Chosen = o.Chosen() != ""
	}
	return c, err
}

func newCluster(config *rest.Config, namespace string, operator operatorOptions) (*Cluster, error) {
	config = rest.CopyConfig(config)
	config.UserAgent = "takt"
	config.QPS, config.Burst = 50, 100
	config.WarningHandler = rest.NoWarnings{}
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	c, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, explain(err, config.Host)
	}
	core, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, explain(err, config.Host)
	}
	return &Cluster{Client: c, Core: core, Namespace: namespace, Address: config.Host, config: config,
		operator: operator}, nil
}

// unreadable says what is wrong with the kubeconfig.
func (o *Options) unreadable(rules *clientcmd.ClientConfigLoadingRules, err error) error {
	if clientcmd.IsEmptyConfig(err) {
		var files []string
		for _, file := range rules.GetLoadingPrecedence() {
			files = append(files, filepath.Clean(file))
		}
		return fmt.Errorf("no cluster is named in %s: name a kubeconfig with --kubeconfig or KUBECONFIG, or a cluster "+
			"with --server", strings.Join(files, ", "))
	}
	if name := o.overrides.CurrentContext; name != "" && !slices.Contains(o.Contexts(), name) {
		return fmt.Errorf("the kubeconfig has no context %q: kubectl config get-contexts lists those that it has", name)
	}
	return fmt.Errorf("the kubeconfig cannot be used: %w. Mend it, or name another with --kubeconfig; kubectl config "+
		"view shows it", err)
}

// Chosen is the namespace that -n names; empty if it names none.
func (o *Options) Chosen() string { return o.overrides.Context.Namespace }

// Contexts are the contexts of the kubeconfig.
func (o *Options) Contexts() []string {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.kubeconfig
	config, err := rules.Load()
	if err != nil {
		return nil
	}
	var names []string
	for name := range config.Contexts {
		names = append(names, name)
	}
	return names
}

// OfFile says that a file with a snapshot was named, so that no cluster is needed.
func (o *Options) OfFile() bool { return o.operator.file != "" }

// File is the snapshot in that file.
func (o *Options) File(stdin io.Reader) (elastic.Snapshot, error) {
	s, err := snapshot.Read(o.operator.file, stdin)
	return s.Snapshot, err
}

// OperatorNamespace is where the operator is looked for.
func (c *Cluster) OperatorNamespace() string { return c.operator.namespace }
