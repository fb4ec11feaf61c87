// Measures one page: `node run.mjs ADDRESS` prints what counts as one line of JSON.
// CHROME_PATH names the browser.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const MODELS = "/_static/figures/models/"; // as in tools/site/visiting/visit.py

const [address] = process.argv.slice(2);
const chrome = await launch({
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"],
});
try {
  const { lhr } = await lighthouse(address, {
    port: chrome.port,
    output: "json",
    logLevel: "silent",
    onlyCategories: ["performance", "accessibility", "best-practices", "seo"],
  });
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const { audits, categories } = lhr;
  const score = (name) => Math.round(categories[name].score * 100);
  const value = (name) => audits[name].numericValue;
  const failed = Object.entries(categories)
    .filter(([name]) => name !== "performance")
    .flatMap(([, { auditRefs }]) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
    .map(({ id }) => `${id}: ${audits[id].title}`);
  // what comes before a model: a figure that stands at the top asks for its own at once
  const requests = audits["network-requests"].details.items.filter(({ url }) => !url.includes(MODELS));
  console.log(
    JSON.stringify({
      performance: score("performance"),
      accessibility: score("accessibility"),
      best_practices: score("best-practices"),
      seo: score("seo"),
      paint_ms: value("largest-contentful-paint"),
      shift: value("cumulative-layout-shift"),
      blocking_ms: value("total-blocking-time"),
      kib: requests.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024,
      requests: requests.length,
      failed,
    }),
  );
} finally {
  await chrome.kill();
}
