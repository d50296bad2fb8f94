// Command training-operator is Kubeflow's training-operator for a control plane on one machine.
//
// The controllers and webhooks are upstream's, unmodified. Only the assembly differs: upstream's
// own command serves its webhooks on every interface with certificates from a fixed folder in
// /tmp, so that two clusters on one machine would get in each other's way. Here the address and
// the folder are flags.
//
// It is a module of its own because upstream builds against an older Kubernetes.
package main

import (
	"errors"
	"flag"
	"os"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/config"
	controllers "github.com/kubeflow/training-operator/pkg/controller.v1"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	"github.com/kubeflow/training-operator/pkg/webhooks"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

type options struct {
	metricsAddress string
	probeAddress   string
	webhookHost    string
	webhookPort    int
	webhookCertDir string
	webhookCert    string
	queriesPerSec  float64
	threads        int
}

func main() {
	var o options
	flag.StringVar(&o.metricsAddress, "metrics-bind-address", "127.0.0.1:8080", "address of the metrics, 0 for none")
	flag.StringVar(&o.probeAddress, "health-probe-bind-address", "127.0.0.1:8081", "address of healthz and readyz")
	flag.StringVar(&o.webhookHost, "webhook-host", "127.0.0.1", "address of the webhooks")
	flag.IntVar(&o.webhookPort, "webhook-port", 9443, "port of the webhooks")
	flag.StringVar(&o.webhookCertDir, "webhook-cert-dir", "", "folder with the certificate of the webhooks")
	flag.StringVar(&o.webhookCert, "webhook-cert-name", "tls", "what .crt and .key of that certificate are called")
	flag.Float64Var(&o.queriesPerSec, "kube-api-qps", 500, "requests per second to the API server")
	flag.IntVar(&o.threads, "controller-threads", 4, "jobs of one kind reconciled at the same time")
	flag.Parse()

	ctrl.SetLogger(zap.New())
	if err := run(o); err != nil {
		ctrl.Log.Error(err, "training-operator ends")
		os.Exit(1)
	}
}

func run(o options) error {
	config.Config.PyTorchInitContainerImage = config.PyTorchInitContainerImageDefault
	config.Config.PyTorchInitContainerTemplateFile = config.PyTorchInitContainerTemplateFileDefault
	config.Config.PyTorchInitContainerMaxTries = config.PyTorchInitContainerMaxTriesDefault

	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), kubeflow.AddToScheme(scheme)); err != nil {
		return err
	}
	kubeconfig, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	kubeconfig.QPS, kubeconfig.Burst = float32(o.queriesPerSec), int(2*o.queriesPerSec)

	manager, err := ctrl.NewManager(kubeconfig, ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metrics.Options{BindAddress: o.metricsAddress},
		HealthProbeBindAddress: o.probeAddress,
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: o.webhookHost, Port: o.webhookPort,
			CertDir: o.webhookCertDir, CertName: o.webhookCert + ".crt", KeyName: o.webhookCert + ".key",
		}),
	})
	if err != nil {
		return err
	}
	for _, kind := range []string{kubeflow.PyTorchJobKind, kubeflow.TFJobKind} {
		if err := controllers.SupportedSchemeReconciler[kind](manager, common.GenNonGangSchedulerSetupFunc(),
			o.threads); err != nil {
			return err
		}
		if err := webhooks.SupportedSchemeWebhook[kind](manager); err != nil {
			return err
		}
	}
	if err := manager.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return err
	}
	if err := manager.AddReadyzCheck("readyz", manager.GetWebhookServer().StartedChecker()); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
