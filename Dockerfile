# The image of Takt: takt-operator, takt-scheduler, takt-agent and takt, their licences, and nothing else. And that of
# takt-agent alone, which the pods of trainings pull.
#
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=v0.1.0 \
#     --build-arg REVISION="$(git rev-parse HEAD)" --tag registry.example.com/takt:v0.1.0 .
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=v0.1.0 --target agent \
#     --build-arg REVISION="$(git rev-parse HEAD)" --tag registry.example.com/takt-agent:v0.1.0 .
#
# The programs are built on the machine that builds, for the platform that they are to run on. make image makes the
# same images without a container engine.
ARG GO_IMAGE=golang:1.26

FROM --platform=${BUILDPLATFORM:-linux/amd64} ${GO_IMAGE} AS build
WORKDIR /src
# What is downloaded stays as it is until a go.mod changes.
COPY go.mod go.sum ./
COPY scheduler/go.mod scheduler/go.sum scheduler/
RUN go mod download && cd scheduler && go mod download
COPY . .
ARG VERSION=v0.0.0-dev
ARG TARGETARCH=amd64
RUN hack/image/build "$VERSION" "$TARGETARCH" /image /agent

FROM scratch AS agent
ARG VERSION=v0.0.0-dev
ARG REVISION=
LABEL org.opencontainers.image.title="takt-agent" \
      org.opencontainers.image.description="What Takt runs in the pods of trainings" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /agent/ /
USER 65532:65532
ENTRYPOINT ["/takt-agent"]

FROM scratch
ARG VERSION=v0.0.0-dev
ARG REVISION=
LABEL org.opencontainers.image.title="takt" \
      org.opencontainers.image.description="Elastic training with deadlines" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /image/ /
# Nobody: all that runs as this user is what is in this image.
USER 65532:65532
ENTRYPOINT ["/takt-operator"]
