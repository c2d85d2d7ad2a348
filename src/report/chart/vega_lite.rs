//! A chart as a specification of Vega-Lite, for notebooks and pages that draw it themselves.
//!
//! Its rows have one figure each, under names that no query changes: `label`, `series`, `value`,
//! and where they are known `time`, `low`, `high`, `count` and `n`.

use serde_json::{Value, json};

use super::{Chart, grid::Grid, heatmap, shape::Kind, style};

/// The version of the specification.
const SCHEMA: &str = "https://vega.github.io/schema/vega-lite/v5.json";

impl Chart {
    /// Returns the chart as a specification of Vega-Lite 5, with the rows in it, in JSON.
    pub fn vega_lite(&self, source: &str) -> String {
        let grid = &self.grid;
        let mut n = self.n.clone();
        for note in &self.notes {
            n.push_str(". ");
            n.push_str(note.trim_end_matches('.'));
        }
        let specification = json!({
            "$schema": SCHEMA,
            "title": {
                "text": self.title,
                "subtitle": [n, source],
                "anchor": "start",
            },
            "data": {"values": rows(grid)},
            "mark": match grid.kind {
                Kind::Bars => "bar",
                Kind::Lines => "line",
                Kind::HeatMap => "rect",
            },
            "encoding": encoding(grid),
            "config": {"line": {"point": true}, "mark": {"tooltip": {"content": "data"}}},
        });
        format!("{specification:#}\n")
    }
}

fn rows(grid: &Grid) -> Vec<Value> {
    let mut rows = Vec::new();
    for (label, points) in grid.labels.iter().zip(&grid.points) {
        for (series, point) in grid.series.iter().zip(points) {
            let Some(point) = point else { continue };
            let text = if label.at.is_some() && is_of_years(grid) {
                json!(label.at.map(|year| year as i64))
            } else if grid.kind == Kind::Lines {
                json!(label.text)
            } else {
                // Bars and cells are read with what they are of.
                json!(label.with_n())
            };
            // Counts are whole numbers in JSON too.
            let is_whole = point.value.fract() == 0.0 && point.value.abs() < 1e15;
            let value = if is_whole {
                json!(point.value as i64)
            } else {
                json!(point.value)
            };
            // Vega takes a number for milliseconds of the Unix epoch.
            let time = label.at.filter(|_| grid.has_time_axis);
            let time = time.map(|at| (at * 86_400_000.0) as i64);
            let row = [
                ("label", text),
                ("time", json!(time)),
                ("value", value),
                ("series", json!(has_series(grid).then_some(series))),
                ("low", json!(point.interval.map(|[low, _]| low))),
                ("high", json!(point.interval.map(|[_, high]| high))),
                ("count", json!(point.count)),
                ("n", json!(label.n)),
            ];
            let known = row.into_iter().filter(|(_, value)| !value.is_null());
            rows.push(Value::from_iter(known));
        }
    }
    rows
}

fn encoding(grid: &Grid) -> Value {
    let axis = if grid.is_share {
        json!({"format": "~%"})
    } else {
        json!({})
    };
    // The axis says percent.
    let title = grid.value_title.trim_end_matches(", in percent");
    let title = Some(title).filter(|title| !title.is_empty());
    let mut value = json!({
        "field": "value", "type": "quantitative", "title": title, "axis": axis,
    });
    let label = json!({
        "field": "label", "type": "nominal", "title": grid.axis, "sort": null,
    });
    let series = json!({"field": "series", "type": "nominal", "title": null, "sort": null});
    match grid.kind {
        Kind::Bars => {
            value["stack"] = Value::Null;
            let mut encoding = json!({"y": label, "x": value});
            if has_series(grid) {
                encoding["yOffset"] = json!({"field": "series", "type": "nominal", "sort": null});
                encoding["color"] = colored(series, grid, style::bar);
            }
            encoding
        }
        Kind::Lines => {
            let mut time = label;
            if grid.has_time_axis {
                time["field"] = json!("time");
                time["type"] = json!("temporal");
            } else if is_of_years(grid) {
                time["type"] = json!("quantitative");
                time["axis"] = json!({"format": "d"});
                time["scale"] = json!({"zero": false});
            } else if grid.labels.iter().all(|label| label.at.is_some()) {
                time["type"] = json!("temporal");
            } else {
                time["type"] = json!("ordinal");
            }
            let mut encoding = json!({"x": time, "y": value});
            if has_series(grid) {
                encoding["color"] = colored(series, grid, |index, _| style::line(index).0);
            }
            encoding
        }
        Kind::HeatMap => {
            let end = heatmap::end(grid);
            let color = json!({
                "field": "value", "type": "quantitative", "title": title,
                "legend": {"format": "~%"},
                "scale": {
                    "type": "threshold",
                    "domain": style::HEAT[1..].iter().map(|step| step.0 * end).collect::<Vec<_>>(),
                    "range": style::HEAT.map(|step| step.1),
                },
            });
            json!({"y": label, "x": series, "color": color})
        }
    }
}

fn colored(mut series: Value, grid: &Grid, color: impl Fn(usize, usize) -> &'static str) -> Value {
    let n = grid.series.len();
    let colors: Vec<_> = (0..n).map(|index| color(index, n)).collect();
    series["scale"] = json!({"domain": grid.series, "range": colors});
    series
}

/// Returns true if and only if figures are told apart by more than their label.
fn has_series(grid: &Grid) -> bool {
    grid.series.len() > 1 || grid.kind == Kind::HeatMap
}

/// Returns true if and only if the labels are years, which are numbers.
fn is_of_years(grid: &Grid) -> bool {
    let mut labels = grid.labels.iter();
    labels.all(|label| label.text.parse::<f64>().is_ok())
}
