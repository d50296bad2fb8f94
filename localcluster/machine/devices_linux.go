package machine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	deviceplugin "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

// devices is a device plugin whose devices are but names: kubelet counts them and hands them out as it does GPUs.
type devices struct {
	deviceplugin.UnimplementedDevicePluginServer
	list []*deviceplugin.Device
	gone chan struct{} // closed when kubelet, which forgets all plugins when it starts, must be told again
}

const socket = "takt.sock"

// offerDevices offers devices to kubelet, again and again: whenever kubelet starts, it removes all sockets of plugins.
func offerDevices(resource string, count int) {
	said := ""
	for {
		err := offerOnce(resource, count)
		if text := fmt.Sprint(err); text != said {
			fmt.Fprintf(os.Stderr, "The %d devices %s: %v\n", count, resource, err)
			said = text
		}
		time.Sleep(200 * time.Millisecond) //nolint:forbidigo // kubelet tells no one that it listens
	}
}

// offerOnce returns when kubelet no longer listens, or knows of the devices no more.
func offerOnce(resource string, count int) error {
	own := filepath.Join(deviceplugin.DevicePluginPath, socket)
	if _, err := os.Stat(deviceplugin.KubeletSocket); err != nil {
		return errors.New("kubelet does not listen")
	}
	_ = os.Remove(own)
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", own)
	if err != nil {
		return err
	}
	plugin := &devices{gone: make(chan struct{})}
	for i := range count {
		plugin.list = append(plugin.list, &deviceplugin.Device{ID: fmt.Sprintf("gpu-%d", i), Health: deviceplugin.Healthy})
	}
	server := grpc.NewServer()
	deviceplugin.RegisterDevicePluginServer(server, plugin)
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	if err := register(resource); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "Kubelet was told of %d devices %s.\n", count, resource)
	for {
		select {
		case <-plugin.gone:
			return errors.New("kubelet listens no more")
		case <-time.After(time.Second):
			if _, err := os.Stat(own); err != nil {
				return errors.New("kubelet has started anew")
			}
		}
	}
}

func register(resource string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	connection, err := grpc.NewClient("unix://"+deviceplugin.KubeletSocket,
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	_, err = deviceplugin.NewRegistrationClient(connection).Register(ctx, &deviceplugin.RegisterRequest{
		Version: deviceplugin.Version, Endpoint: socket, ResourceName: resource, Options: &deviceplugin.DevicePluginOptions{},
	})
	return err
}

func (d *devices) GetDevicePluginOptions(context.Context,
	*deviceplugin.Empty) (*deviceplugin.DevicePluginOptions, error) {
	return &deviceplugin.DevicePluginOptions{}, nil
}

// ListAndWatch names the devices. All are well as long as the node is there.
func (d *devices) ListAndWatch(_ *deviceplugin.Empty,
	stream grpc.ServerStreamingServer[deviceplugin.ListAndWatchResponse]) error {
	defer close(d.gone)
	if err := stream.Send(&deviceplugin.ListAndWatchResponse{Devices: d.list}); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

// Allocate tells a container which devices it has, in the variable that NVIDIA's runtime reads.
func (d *devices) Allocate(_ context.Context,
	request *deviceplugin.AllocateRequest) (*deviceplugin.AllocateResponse, error) {
	response := &deviceplugin.AllocateResponse{}
	for _, container := range request.ContainerRequests {
		response.ContainerResponses = append(response.ContainerResponses, &deviceplugin.ContainerAllocateResponse{
			Envs: map[string]string{
				"NVIDIA_VISIBLE_DEVICES": strings.Join(slices.Sorted(slices.Values(container.DevicesIds)), ","),
			},
		})
	}
	return response, nil
}
