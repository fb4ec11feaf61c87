// Measures one page: `node run.mjs ADDRESS` prints what counts as one line of JSON.
// CHROME_PATH names the browser.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

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
  const requests = audits["network-requests"].details.items;
  console.log(
    JSON.stringify({
      performance: score("performance"),
      accessibility: score("accessibility"),
      best_practices: score("best-practices"),
      seo: score("seo"),
      paint_ms: value("largest-contentful-paint"),
      shift: value("cumulative-layout-shift"),
      blocking_ms: value("total-blocking-time"),
      kib: value("total-byte-weight") / 1024,
      requests: requests.length,
      failed,
    }),
  );
} finally {
  await chrome.kill();
}
