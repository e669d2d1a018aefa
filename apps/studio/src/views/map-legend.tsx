import { mapView, toggleGroup } from "../state/map.js";
import { selectSamples } from "../state/selection.js";
import { type Colouring, colouring, type Groups, type Shades } from "./colouring.js";
import { count, short } from "./format.js";

/** What the colours mean. A click on a group shows it alone; more clicks add others. */
export function MapLegend() {
  const { value: now } = colouring;
  if (!now) return null;
  return now.kind === "groups" ? <GroupLegend groups={now} /> : <ShadeLegend shades={now} />;
}

function GroupLegend({ groups }: { readonly groups: Groups }) {
  const { value: only } = mapView.only;
  const listed = groups.names.flatMap((name, group) => (groups.counts[group] > 0 ? [{ name, group }] : []));
  return (
    <fieldset class="map-legend">
      <legend class="bonmf-spoken">Show only</legend>
      {listed.map(({ name, group }) => (
        <button
          key={group}
          type="button"
          class={only.size > 0 && !only.has(group) ? "chip off" : "chip"}
          aria-pressed={only.has(group)}
          title={`Show only ${name}; Alt-click selects its samples`}
          style={{ "--bonmf-colour": groups.colours[group] }}
          onClick={({ altKey }) => (altKey ? selectGroup(groups, group) : toggleGroup(group))}
        >
          <i class="bonmf-swatch" />
          <span dir="auto">{name}</span> <small>{count(groups.counts[group])}</small>
        </button>
      ))}
      <button
        type="button"
        class={only.size > 0 ? "quiet" : "quiet unseen"}
        onClick={() => {
          mapView.only.value = new Set();
        }}
      >
        Show all
      </button>
    </fieldset>
  );
}

export function selectGroup({ of, names }: Groups, group: number): void {
  const members: number[] = [];
  for (let i = 0; i < of.length; i++) if (of[i] === group) members.push(i);
  selectSamples(members, names[group]);
}

function ShadeLegend({ shades }: { readonly shades: Shades }) {
  const { least, most, colours, title } = shades;
  const stops = colours.slice(0, -1).filter((_, s) => s % 7 === 0);
  return (
    <div class="map-legend">
      <span>{title}</span>
      <span class="shade">
        {shade(shades, least)}
        <i class="ramp" style={{ background: `linear-gradient(to right, ${stops.join(", ")})` }} />
        {shade(shades, most)}
      </span>
    </div>
  );
}

/** A value of a scale as people read it. */
export function shade({ date }: Pick<Shades, "date">, value: number): string {
  if (Number.isNaN(value)) return "missing";
  if (!date) return short(value);
  const text = new Date(value).toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 16).replace("T", " ");
}

/** The samples that the legend lets through; null: all. */
export function listShown(now: Colouring | null, only: ReadonlySet<number>): Uint8Array | null {
  if (now?.kind !== "groups" || only.size === 0) return null;
  const { of, names } = now;
  const wanted = Uint8Array.from(names, (_, group) => (only.has(group) ? 1 : 0));
  const shown = new Uint8Array(of.length);
  for (let i = 0; i < shown.length; i++) shown[i] = wanted[of[i]];
  return shown;
}
