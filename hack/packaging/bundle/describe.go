package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// object is any object of Kubernetes.
type object = unstructured.Unstructured

// installed are the objects of config/default with an image.
func installed(o options) ([]*object, error) {
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(),
		filepath.Join(o.root, "config", "default"))
	if err != nil {
		return nil, err
	}
	var objects []*object
	for _, resource := range made.Resources() {
		text, err := resource.MarshalJSON()
		if err != nil {
			return nil, err
		}
		each := &object{}
		if err := each.UnmarshalJSON(text); err != nil {
			return nil, err
		}
		objects = append(objects, each)
	}
	return objects, nil
}

// account is the ServiceAccount of the operator, which the Lifecycle Manager makes by itself with the rights that the
// CSV lists.
const account = "takt-operator"

// describe sorts objects into those that the CSV tells of, and those that lie beside it, by the names of their files.
func describe(o options, objects []*object) (csv *object, rest map[string]*object, err error) {
	csv = &object{}
	if err := read(filepath.Join(o.root, "bundle", "csv.yaml"), &csv.Object); err != nil {
		return nil, nil, err
	}
	icon, err := os.ReadFile(filepath.Join(o.root, "bundle", "icon.svg"))
	if err != nil {
		return nil, nil, err
	}
	examples, err := examples(o.root)
	if err != nil {
		return nil, nil, err
	}
	version := strings.TrimPrefix(o.version, "v")
	csv.SetName("takt.v" + version)
	annotations := csv.GetAnnotations()
	annotations["containerImage"], annotations["alm-examples"] = o.image, examples
	if o.created != 0 {
		annotations["createdAt"] = time.Unix(o.created, 0).UTC().Format(time.RFC3339)
	}
	csv.SetAnnotations(annotations)
	spec := csv.Object["spec"].(map[string]any)
	spec["version"] = version
	// By this those find the images who copy catalogs to where there is no internet.
	spec["relatedImages"] = []any{
		map[string]any{"name": "takt", "image": o.image}, map[string]any{"name": "takt-agent", "image": o.agentImage},
	}
	spec["icon"].([]any)[0].(map[string]any)["base64data"] = base64.StdEncoding.EncodeToString(icon)

	install := map[string]any{}
	var owned []any
	rest = map[string]*object{}
	of := bound(objects)
	for _, each := range objects {
		switch kind := each.GetKind(); {
		case kind == "Namespace", kind == "ServiceAccount", of[bindingOf(each)]:
		case kind == "NetworkPolicy": // older Lifecycle Managers refuse a bundle with one
		case kind == "Deployment":
			install["deployments"] = []any{deployment(each, o)}
		case kind == "ClusterRole" && of[kind+"/"+each.GetName()]:
			add(install, "clusterPermissions", each)
		case kind == "Role" && of[kind+"/"+each.GetName()]:
			add(install, "permissions", each)
		default:
			if kind == "CustomResourceDefinition" {
				owned = append(owned, ownedKind(each))
			}
			each.SetNamespace("")
			rest[strings.ToLower(kind)+"_"+each.GetName()+".yaml"] = each
		}
	}
	spec["install"] = map[string]any{"strategy": "deployment", "spec": install}
	spec["customresourcedefinitions"] = map[string]any{"owned": owned}
	return csv, rest, nil
}

// bound are the roles of the operator's account, as KIND/NAME, and the bindings that give them to it.
func bound(objects []*object) map[string]bool {
	all := map[string]bool{}
	for _, each := range objects {
		subjects, _, _ := unstructured.NestedSlice(each.Object, "subjects")
		isOurs := slices.ContainsFunc(subjects, func(subject any) bool { return subject.(map[string]any)["name"] == account })
		if role, found, _ := unstructured.NestedStringMap(each.Object, "roleRef"); found && isOurs {
			all[role["kind"]+"/"+role["name"]] = true
			all[bindingOf(each)] = true
		}
	}
	return all
}

// bindingOf is what a binding is called among others; empty for what is none.
func bindingOf(each *object) string {
	if !strings.HasSuffix(each.GetKind(), "RoleBinding") {
		return ""
	}
	return each.GetKind() + "/" + each.GetName()
}

func add(install map[string]any, scope string, role *object) {
	before, _ := install[scope].([]any)
	for i := range before { // an account is named once
		permissions := before[i].(map[string]any)
		permissions["rules"] = append(permissions["rules"].([]any), role.Object["rules"].([]any)...)
		return
	}
	install[scope] = append(before, map[string]any{"serviceAccountName": account, "rules": role.Object["rules"]})
}

func deployment(each *object, o options) map[string]any {
	containers, _, _ := unstructured.NestedSlice(each.Object, "spec", "template", "spec", "containers")
	operator := containers[0].(map[string]any)
	operator["image"] = o.image
	for _, variable := range operator["env"].([]any) {
		if variable := variable.(map[string]any); variable["name"] == "TAKT_AGENT_IMAGE" {
			variable["value"] = o.agentImage
		}
	}
	_ = unstructured.SetNestedSlice(each.Object, containers, "spec", "template", "spec", "containers") // it was there
	return map[string]any{"name": each.GetName(), "label": each.GetLabels(), "spec": each.Object["spec"]}
}

// ownedKind is how a CSV names a kind: what it is for is the first sentence of its schema.
func ownedKind(crd *object) map[string]any {
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	version := versions[0].(map[string]any)
	description, _, _ := unstructured.NestedString(version, "schema", "openAPIV3Schema", "description")
	kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
	first, _, _ := strings.Cut(strings.ReplaceAll(description, "\n", " "), ". ")
	return map[string]any{
		"name": crd.GetName(), "kind": kind, "version": version["name"], "displayName": kind,
		"description": strings.TrimSuffix(first, ".") + ".", "resources": together[kind],
	}
}

// together are the kinds that a catalog shows beside each of Takt's: those that it is about, or that are made for it.
var together = map[string][]any{
	"ElasticJob": {
		reference("pytorchjobs.kubeflow.org", "PyTorchJob", "v1"), reference("tfjobs.kubeflow.org", "TFJob", "v1"),
		reference("", "Job", "v1"), reference("resizes.takt.dev", "Resize", "v1alpha1"),
		reference("trainingprofiles.takt.dev", "TrainingProfile", "v1alpha1"),
	},
	"Resize":          {reference("elasticjobs.takt.dev", "ElasticJob", "v1alpha1"), reference("", "Pod", "v1")},
	"TrainingProfile": {reference("elasticjobs.takt.dev", "ElasticJob", "v1alpha1")},
	"TrainingQueue":   {reference("elasticjobs.takt.dev", "ElasticJob", "v1alpha1")},
}

func reference(name, kind, version string) map[string]any {
	return map[string]any{"name": name, "kind": kind, "version": version}
}

// examples are the samples of Takt's kinds, as a catalog shows them.
func examples(root string) (string, error) {
	var all []map[string]any
	for _, kind := range []string{"elasticjob", "resize", "trainingprofile", "trainingqueue"} {
		var sample map[string]any
		if err := read(filepath.Join(root, "config", "samples", kind+".yaml"), &sample); err != nil {
			return "", err
		}
		all = append(all, sample)
	}
	text, err := json.Marshal(all)
	return string(text), err
}

func read(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
