package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fleet is the file of the page with all jobs.
const fleet = "index.html"

// keepPages writes the page of all jobs, and that of each, to a folder, as the operator serves them at a host and port:
// so that they can be looked at when all is taken down.
func keepPages(ctx context.Context, c client.Client, parts []part, server, folder string) error {
	token, err := reader(ctx, c)
	if err != nil {
		return fmt.Errorf("cannot be let in to the page: %w", err)
	}
	files := map[string]string{fleet: "", "style.css": "style.css"}
	for _, part := range parts {
		files[part.name+".html"] = "namespaces/" + namespace + "/" + part.name
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	web := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // of a certificate that the operator has made for itself
	}}
	for file, path := range files {
		page, err := get(ctx, web, "https://"+server+"/takt/"+path, token)
		if err != nil {
			return fmt.Errorf("cannot get the page: %w", err)
		}
		if err := os.WriteFile(filepath.Join(folder, file), beside(page), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// reader is the token of somebody who may read the page, and nothing else.
func reader(ctx context.Context, c client.Client) (string, error) {
	const name = "demo-reader"
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	role := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Rules:      []rbacv1.PolicyRule{{NonResourceURLs: []string{"/takt/*"}, Verbs: []string{"get"}}},
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: name}},
	}
	for _, object := range []client.Object{account, role, binding} {
		if err := c.Create(ctx, object); err != nil {
			return "", err
		}
	}
	request := &authenticationv1.TokenRequest{}
	if err := c.SubResource("token").Create(ctx, account, request); err != nil {
		return "", err
	}
	return request.Status.Token, nil
}

func get(ctx context.Context, web *http.Client, address, token string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := web.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, bytes.TrimSpace(page))
	}
	return page, err
}

var (
	toJob   = regexp.MustCompile(`href="namespaces/` + namespace + `/([a-z0-9-]+)"`)
	toFleet = regexp.MustCompile(`href="(\.\./\.\./|\./)"`)
)

// beside has the links of a page lead to the files beside it.
func beside(page []byte) []byte {
	return toFleet.ReplaceAll(toJob.ReplaceAll(page, []byte(`href="$1.html"`)), []byte(`href="`+fleet+`"`))
}
