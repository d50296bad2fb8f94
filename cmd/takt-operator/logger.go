package main

import (
	"io"

	"github.com/go-logr/logr"
	"github.com/go-logr/zapr"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/takt-dev/takt/operator/settings"
)

// newLogger logs as the settings say. Level n of logr is level -n of zap; it is written as the field v,
// since zap has no name for it.
func newLogger(s settings.Log, to io.Writer) logr.Logger {
	encoding := zap.NewProductionEncoderConfig()
	encoding.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	encoding.EncodeLevel = func(level zapcore.Level, encoder zapcore.PrimitiveArrayEncoder) {
		zapcore.LowercaseLevelEncoder(max(level, zapcore.InfoLevel), encoder)
	}
	encoder := zapcore.NewJSONEncoder(encoding)
	if s.Format == settings.Console {
		encoder = zapcore.NewConsoleEncoder(encoding)
	}
	core := zapcore.NewCore(encoder, zapcore.Lock(zapcore.AddSync(to)), zapcore.Level(-s.Level))
	return zapr.NewLoggerWithOptions(zap.New(lazily{core}), zapr.LogInfoLevel("v"))
}

// lazily writes down what a logger says with each line only once it says one: each look at a job has a logger of its
// own, and hardly any of them says a word.
type lazily struct{ zapcore.Core }

// With is one that says so much more with each line.
func (l lazily) With(fields []zapcore.Field) zapcore.Core {
	return lazily{zapcore.NewLazyWith(l.Core, fields)}
}

// logEverythingTo makes the libraries log the same way as the program.
func logEverythingTo(logger logr.Logger) {
	ctrl.SetLogger(logger)
	klog.SetLoggerWithOptions(logger, klog.ContextualLogger(true))
}
