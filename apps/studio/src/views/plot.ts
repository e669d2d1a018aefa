import { useEffect, useState } from "preact/hooks";

type Plot = typeof import("@observablehq/plot");

/** The chart library, loaded when the first chart is drawn. */
export function usePlot(): Plot | null {
  const [plot, setPlot] = useState<Plot | null>(null);
  useEffect(() => {
    void import("@observablehq/plot").then((module) => setPlot(module));
  }, []);
  return plot;
}
