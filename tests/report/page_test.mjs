// The pages that `driftless run --report` writes, in a real browser: they draw without an error, ask for nothing outside of
// the file, and zoom, hover, choosing of variables and the animation work, on a screen and on a telephone.
//
//   node page_test.mjs PROGRAM MODELS FOLDER
//
// It needs Chromium (or Chrome; CHROMIUM names another) and the package playwright-core in FOLDER or above, which
// `make test-report` installs. Without them it says so and ends with 77: skipped.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [program, models, folder] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(folder, { recursive: true });

function skip(reason) {
  console.log(`skipped: ${reason}; make test-report installs what is missing`);
  process.exit(77);
}

function browserPath() {
  for (const name of [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome"]) {
    const found = name && spawnSync("sh", ["-c", `command -v "${name}"`], { encoding: "utf8" });
    if (found && found.status === 0) return found.stdout.trim();
  }
  return skip("there is no Chromium");
}

function playwright() {
  try {
    return createRequire(join(folder, "page.js"))("playwright-core");
  } catch {
    return skip("the package playwright-core is not installed");
  }
}

const hostile = `model '</title><script>alert(1)</script>' "</script><script>alert(2)</script>"
  Real '</script><img src=x onerror=alert(3)>'(start = 1, fixed = true, unit = "<b>") "<svg onload=alert(4)>";
  Real v(start = 0, fixed = true) "</div><script>alert(5)</script>";
equation
  der('</script><img src=x onerror=alert(3)>') = v; // </pre><script>alert(6)</script>
  der(v) = -'</script><img src=x onerror=alert(3)>';
end '</title><script>alert(1)</script>';
`;

function reportOf(name, model, ...options) {
  const file = join(folder, `${name}.html`);
  const run = spawnSync(program, ["run", model, "--report", file, ...options], { encoding: "utf8" });
  assert.ok(run.status !== null && run.status !== 2, `${name}: ${run.stderr}`);
  return file;
}

const problems = [];
let browser;

// A page with everything that went wrong on it collected.
async function open(file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, ...options });
  const name = file.split("/").pop();
  page.on("pageerror", (error) => problems.push(`${name}: ${error}`));
  page.on("console", (message) => { if (message.type() === "error") problems.push(`${name}: ${message.text()}`); });
  page.on("dialog", (dialog) => { problems.push(`${name}: a script of the model ran`); dialog.dismiss(); });
  page.on("request", (request) => { if (request.url() !== pathToFileURL(file).href) problems.push(`${name}: asked for ${request.url()}`); });
  const begin = Date.now();
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => document.querySelector("#plots canvas") || document.querySelector(".failure"));
  page.seconds = (Date.now() - begin) / 1000;
  return page;
}

const legendOf = (page) => page.locator("#plots .legend button");

async function hovers(page) {
  const canvas = page.locator("#plots canvas").first();
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => document.querySelector("#plots .legend .value").textContent !== "");
  return box;
}

async function zooms(page) {
  const box = await hovers(page);
  const whole = page.getByRole("button", { name: "whole run" });
  assert.ok(await whole.isDisabled(), "the whole run is shown at first");
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.ok(await whole.isEnabled(), "a drag zooms");
  await whole.click();
  assert.ok(await whole.isDisabled(), "and the button shows the whole run again");
}

async function chooses(page) {
  const before = await legendOf(page).count();
  await page.locator(".chooser summary").click();
  await page.getByPlaceholder(/search/).fill("der(");
  await page.locator(".choices input").first().check();
  assert.equal(await legendOf(page).count(), before + 1, "a chosen variable is drawn");
  await legendOf(page).first().click();
  assert.equal(await legendOf(page).first().getAttribute("aria-pressed"), "false", "a curve can be hidden");
}

async function plays(page) {
  const clock = page.locator("#animation output");
  const before = await clock.textContent();
  await page.getByRole("button", { name: /play/ }).click();
  await page.waitForFunction((text) => document.querySelector("#animation output").textContent !== text, before);
  await page.getByRole("button", { name: /pause/ }).click();
}

// Some pixel of the canvas is painted.
const isPainted = (locator) => locator.evaluate((canvas) =>
  canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((v) => v !== 0));

async function drawsAll(page) {
  const canvases = page.locator("canvas");
  for (let k = 0; k < (await canvases.count()); ++k) {
    await canvases.nth(k).scrollIntoViewIfNeeded();
    await page.waitForTimeout(60);
    assert.ok(await isPainted(canvases.nth(k)), `canvas ${k} is painted`);
  }
}

async function fitsATelephone(file) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(file, { viewport: { width: 390, height: 800 }, colorScheme, hasTouch: true });
    const [content, width] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
    assert.ok(content <= width, `${file}: nothing is wider than a telephone (${content} of ${width})`);
    const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(back === "rgb(244, 246, 248)", colorScheme === "light", "colours follow the surroundings");
    await page.close();
  }
}

async function main() {
  const { chromium } = playwright();
  browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });
  const pendulum = reportOf("pendulum", join(models, "pendulum.mo"), "--method", "bdf");
  const page = await open(pendulum);
  await zooms(page);
  await chooses(page);
  await plays(page);
  await drawsAll(page);
  await page.locator("#constraints a").first().click();
  assert.ok((await page.locator(".l:target").count()) === 1, "a constraint links to its line");
  assert.ok((await page.locator("#constraints math").count()) >= 3, "constraints are typeset");
  assert.ok((await page.pdf()).length > 10_000, "it can be printed");
  await page.close();
  await fitsATelephone(pendulum);

  const ball = await open(reportOf("bouncing_ball", join(models, "hybrid/bouncing_ball.mo")));
  await hovers(ball);
  await drawsAll(ball);
  await ball.close();

  for (const [name, ...options] of [["squeezer"], ["chain", "--override", "N=2000", "--stop", "0.05"]]) {
    const file = reportOf(name, join(models, `${name}.mo`), ...options);
    const large = await open(file);
    console.log(`${name}: ${(statSync(file).size / 1e6).toFixed(2)} MB, open after ${large.seconds.toFixed(2)} s`);
    assert.ok(statSync(file).size < 5e6, `${name}: the file stays below 5 MB`);
    assert.ok(large.seconds < 10, `${name}: open after ${large.seconds} s`);
    await drawsAll(large);
    await large.close();
  }

  writeFileSync(join(folder, "hostile.mo"), hostile);
  const attacked = await open(reportOf("hostile", join(folder, "hostile.mo")));
  await drawsAll(attacked);
  assert.equal(await attacked.locator("img, svg").count(), 0, "text of the model is no markup");
  await attacked.close();

  writeFileSync(join(folder, "failing.mo"), "model Failing\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -1 - sqrt(x);\nend Failing;\n");
  const failed = await open(reportOf("failing", join(folder, "failing.mo"), "--stop", "3"));
  assert.ok(await failed.getByText("The run failed").isVisible());
  await drawsAll(failed);
  assert.deepEqual(problems, []);
  console.log("all pages draw, ask for nothing and answer the pointer");
}

try {
  await main();
} finally {
  await browser?.close();
}
