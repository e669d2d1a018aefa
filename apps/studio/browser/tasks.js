// How long the page's main thread computes without a pause: processor time, because other programs make tasks wait.
import { holds } from "./stage.js";

/** Milliseconds of processor time of the longest task on the main thread of a page while `work` runs. */
export async function longestTask(me, work) {
  return (await measureTasks(me, work)).longest;
}

/** The same, and that of all tasks together. All pages of the browser count: they may share a thread. */
export async function measureTasks({ page }, work) {
  const devtools = await page.context().newCDPSession(page);
  const events = [];
  devtools.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value) events.push(event);
  });
  await devtools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel"] },
  });
  await work();
  // A task that is under way at the end is not recorded.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
  await devtools.send("Tracing.end");
  await complete;
  await devtools.detach();
  const threadOf = ({ pid, tid }) => `${pid} ${tid}`;
  const main = new Set(
    events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(threadOf),
  );
  const times = events
    .filter((event) => event.name === "ThreadControllerImpl::RunTask" && main.has(threadOf(event)))
    .map(({ tdur }) => tdur / 1000)
    .filter((time) => time >= 0);
  holds(times.length > 0, "the browser tells no processor time of its tasks");
  return {
    longest: Math.round(times.reduce((most, time) => Math.max(most, time), 0)),
    total: Math.round(times.reduce((sum, time) => sum + time, 0)),
  };
}
