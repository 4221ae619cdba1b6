# mm with bash and git, for a user without rights: docs/how-to/sandbox.md.
FROM golang:1.26-trixie AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=0.1.0-dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /mm ./cmd/mm

FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends bash ca-certificates git jq ripgrep \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 1000 --create-home mm \
 # Another user than 1000 (docker run --user) has a home to write to and may look at the repository.
 && chmod 1777 /home/mm && git config --system --add safe.directory '*'
COPY --from=build /mm /usr/local/bin/mm
ENV HOME=/home/mm
USER 1000:1000
WORKDIR /project
ENTRYPOINT ["mm"]
