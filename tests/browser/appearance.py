"""How a page looks in headless Chromium: at the width of a phone, a tablet and a screen, light and dark. Nothing may be cut off, unreadable
or loaded from elsewhere."""
import re

SIZES = [(390, 844), (768, 1024), (1280, 900)]

# Texts that stick out of the window, of their box, or of a cell that cuts them; and pairs of boxes that lie on each other.
STICKING_OUT = """
(() => {
  const bad = [], width = document.documentElement.clientWidth;
  for (const node of document.querySelectorAll('h1,h2,p,td,th,dt,dd,li,span,code,small,section,footer,svg')) {
    const box = node.getBoundingClientRect();
    if (!box.width) continue;
    if (box.left < -0.5 || box.right > width + 0.5) bad.push(node.tagName + ' ' + node.textContent.slice(0, 40));
    if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== 'inline') bad.push('cut: ' + node.tagName + ' ' + node.textContent.slice(0, 40));
  }
  const boxes = [...document.querySelectorAll('header,.tiles,section,footer')].map(node => [node.className || node.tagName, node.getBoundingClientRect()]);
  for (let i = 0; i < boxes.length; i++)
    for (let j = i + 1; j < boxes.length; j++) {
      const a = boxes[i][1], b = boxes[j][1];
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) bad.push(boxes[i][0] + ' lies on ' + boxes[j][0]);
    }
  return bad;
})()"""

# Texts with less contrast to what is behind them than 4.5 to 1 (WCAG 2, AA), with the contrast.
UNREADABLE = """
(() => {
  const channels = text => text.match(/[0-9.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = node => { for (; node; node = node.parentElement) { const c = channels(getComputedStyle(node).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const bad = [], seen = {};
  for (const node of document.querySelectorAll('h1,h2,h2 span,p,td,th,dt,dd,li,b,small,code,a,footer,.pill,.y span,.x span')) {
    const a = light(channels(getComputedStyle(node).color)), b = light(behind(node)), contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) bad.push(node.tagName + ' ' + node.textContent.slice(0, 30) + ' ' + contrast.toFixed(2));
  }
  return bad;
})()"""

def check(tap, browser, url, width, height, dark, text):
    browser.open(url, width, height, dark)
    name = f"{text}, {width} pixels, {'dark' if dark else 'light'}"
    tap.equal(browser.ask("document.documentElement.scrollWidth"), width, f"{name}: nothing to scroll sideways")
    tap.equal(browser.ask(STICKING_OUT), [], f"{name}: nothing is cut off, and no box lies on another")
    tap.equal(browser.ask(UNREADABLE), [], f"{name}: every text stands out from what is behind it")
    background = [int(number) for number in re.findall(r"\d+", browser.ask("getComputedStyle(document.body).backgroundColor"))]
    tap.ok((sum(background) < 200) == dark, f"{name}: the background is {background}")
    complaints = [entry["entry"]["text"] for entry in browser.happened("Log.entryAdded")] + browser.happened("Audits.issueAdded")
    tap.equal(complaints, [], f"{name}: the browser has nothing to say, neither about the policy nor anything else")
    loaded = [event["request"]["url"] for event in browser.happened("Network.requestWillBeSent")]
    tap.ok(loaded == [url], f"{name}: nothing but the page is loaded", loaded)
