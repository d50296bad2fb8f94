package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

type object = map[string]any

// width is that of a page of Grafana, and defaultHeight that of a panel.
const (
	width         = 24
	defaultHeight = 8
)

var prometheus = object{"type": "prometheus", "uid": "${datasource}"}

// dashboard is what is said of it as a whole.
func (b board) dashboard(uid string) object {
	variables := []object{{"type": "datasource", "name": "datasource", "label": "Prometheus", "query": "prometheus"}}
	for _, v := range b.Variables {
		o := object{
			"type": "query", "name": v.Name, "label": v.Label, "query": v.Values, "datasource": prometheus,
			"refresh": 2, "sort": 1, // when the time changes, by name
		}
		if v.Many {
			o["multi"], o["includeAll"], o["allValue"] = true, true, ".*"
			o["current"] = object{"text": "All", "value": "$__all"}
		}
		variables = append(variables, o)
	}
	return object{
		"uid": uid, "title": b.Title, "description": b.Description, "tags": []string{"takt"}, "schemaVersion": 39,
		"graphTooltip": 1, "time": object{"from": "now-24h", "to": "now"}, "refresh": "1m", "timezone": "browser",
		"templating": object{"list": variables}, "annotations": object{"list": []object{}},
		"links": []object{{
			"type": "dashboards", "title": "Takt", "tags": []string{"takt"}, "asDropdown": true, "keepTime": true,
			"includeVars": false, "targetBlank": false, "icon": "external link", "tooltip": "", "url": "",
		}},
	}
}

// panels are all of them, each in its place.
func (b board) panels() (all []object) {
	y := 0
	put := func(o object, x, w, h int) {
		o["id"], o["gridPos"] = len(all)+1, object{"x": x, "y": y, "w": w, "h": h}
		all = append(all, o)
	}
	for _, r := range b.Rows {
		if r.Title != "" {
			put(object{"type": "row", "title": r.Title, "collapsed": false, "panels": []object{}}, 0, width, 1)
			y++
		}
		height := r.Height
		if height == 0 {
			height = defaultHeight
		}
		for i, p := range r.Panels {
			x := i * width / len(r.Panels)
			put(p.panel(), x, (i+1)*width/len(r.Panels)-x, height)
		}
		y += height
	}
	return all
}

// write writes a dashboard, each of its panels on a line.
func write(to *bytes.Buffer, dashboard object, panels []object) error {
	dashboard["panels"] = []object{}
	text, err := marshal(dashboard, "  ")
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(text, []byte(`"panels": []`))
	fmt.Fprintf(to, "%s\"panels\": [", before)
	for i, p := range panels {
		line, err := marshal(p, "")
		if err != nil {
			return err
		}
		if i > 0 {
			to.WriteByte(',')
		}
		fmt.Fprintf(to, "\n    %s", bytes.TrimSpace(line))
	}
	fmt.Fprintf(to, "\n  ]%s", after)
	return nil
}

func marshal(o object, indent string) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // expressions compare
	e.SetIndent("", indent)
	err := e.Encode(o)
	return text.Bytes(), err
}
