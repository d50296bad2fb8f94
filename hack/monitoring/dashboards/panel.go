package main

import "strings"

const (
	number = "number"
	table  = "table"
)

// look is how answers are drawn over time.
type look struct {
	style, interpolation string
	width, fill          int
	stacked              bool
}

var looks = map[string]look{
	"lines": {"line", "linear", 1, 0, false},
	"steps": {"line", "stepAfter", 2, 0, false},
	"areas": {"line", "stepAfter", 1, 25, true},
	"bars":  {"bars", "linear", 1, 60, true},
}

// panel is what Grafana is told of one.
func (p panel) panel() object {
	defaults := object{"unit": "short"}
	if p.Unit != "" {
		defaults["unit"] = p.Unit
	}
	o := object{
		"title": p.Title, "description": p.Description, "datasource": prometheus, "targets": p.targets(),
		"fieldConfig": object{"defaults": defaults, "overrides": p.overrides()},
	}
	switch p.Show {
	case number:
		o["type"], o["options"] = "stat", object{
			"reduceOptions": object{"calcs": []string{"lastNotNull"}, "fields": "", "values": false},
			"graphMode":     "none", "textMode": "value", "colorMode": "value", "justifyMode": "auto", "orientation": "auto",
			"wideLayout": true, "showPercentChange": false, "percentChangeColorMode": "standard",
		}
		defaults["noValue"] = "-"
		defaults["color"], defaults["thresholds"] = object{"mode": "thresholds"}, p.thresholds()
	case table:
		o["type"], o["options"], o["transformations"] = "table", object{"showHeader": true, "frameIndex": 0},
			p.transformations()
		if p.Opens != "" {
			defaults["links"] = []object{{"title": "Open", "url": p.Opens}}
		}
	default:
		o["type"], o["options"] = "timeseries", object{
			"legend":  object{"displayMode": "list", "placement": "bottom", "showLegend": true, "calcs": []string{}},
			"tooltip": object{"mode": "multi", "sort": "desc"},
		}
		defaults["color"], defaults["custom"] = object{"mode": "palette-classic"}, looks[p.Show].custom()
		if p.Unit != "dateTimeAsIso" {
			defaults["min"] = 0
		}
	}
	return o
}

func (l look) custom() object {
	stacking := "none"
	if l.stacked {
		stacking = "normal"
	}
	return object{
		"drawStyle": l.style, "lineInterpolation": l.interpolation, "lineWidth": l.width, "fillOpacity": l.fill,
		"showPoints": "auto", "stacking": object{"mode": stacking, "group": "A"},
	}
}

// targets are the questions: a number and a table are about now, or about all of the time that is shown.
func (p panel) targets() (all []object) {
	for i, a := range p.Asks {
		o := object{"refId": string(rune('A' + i)), "expr": a.Expr, "legendFormat": a.As}
		if p.Show == number || p.Show == table {
			o["instant"], o["range"] = true, false
		}
		if p.Show == table {
			o["format"] = "table"
		}
		all = append(all, o)
	}
	return all
}

func (p panel) thresholds() object {
	steps := []object{}
	colors := p.Colors
	if len(colors) == 0 {
		colors = [][]any{{"text"}}
	}
	for _, c := range colors {
		step := object{"color": c[0], "value": nil}
		if len(c) > 1 {
			step["value"] = c[1]
		}
		steps = append(steps, step)
	}
	return object{"mode": "absolute", "steps": steps}
}

// overrides are for answers that look different from others of the panel.
func (p panel) overrides() []object {
	all := []object{}
	for _, a := range p.Asks {
		var properties []object
		set := func(id string, value any) { properties = append(properties, object{"id": id, "value": value}) }
		if a.Color != "" {
			set("color", object{"mode": "fixed", "fixedColor": a.Color})
		}
		if a.Dashed {
			set("custom.lineStyle", object{"fill": "dash", "dash": []int{8, 8}})
			set("custom.stacking", object{"mode": "none", "group": "A"})
			set("custom.fillOpacity", 0)
		}
		if a.Faint {
			set("custom.lineWidth", 0)
		}
		if a.DownTo != "" {
			set("custom.fillBelowTo", a.DownTo)
			set("custom.fillOpacity", 20)
		}
		if properties != nil {
			all = append(all, object{"matcher": object{"id": "byName", "options": a.As}, "properties": properties})
		}
	}
	return all
}

// transformations make one table of the answers: a line for each value of the first column, and no moments.
func (p panel) transformations() []object {
	names, order, without := object{}, object{}, object{"Time": true}
	for i, column := range p.Columns {
		field, name, _ := strings.Cut(column, "=")
		names[field], order[field] = name, i
	}
	all := []object{}
	if len(p.Asks) > 1 {
		first, _, _ := strings.Cut(p.Columns[0], "=")
		all = append(all, object{"id": "joinByField", "options": object{"byField": first, "mode": "outer"}})
		for i := range p.Asks {
			without["Time "+string(rune('1'+i))] = true
		}
	}
	options := object{"excludeByName": without, "renameByName": names, "indexByName": order}
	return append(all, object{"id": "organize", "options": options})
}
