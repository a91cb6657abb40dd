/** Runs in the page: texts whose contrast to the colour behind them is below WCAG 2.2 AA (1.4.3). */
export const faintTexts = `(() => {
  const channel = (value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = ([red, green, blue]) =>
    0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const ground = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = numbers(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === '' || element.getClientRects().length === 0) continue;
    const [one, two] = [luminance(numbers(getComputedStyle(element).color)), luminance(ground(element))];
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (contrast < 4.5) faint.add(element.textContent.trim().slice(0, 40) + ' ' + contrast.toFixed(2));
  }
  return [...faint];
})()`;
