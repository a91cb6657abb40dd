/** Adds the list that the reader came from to the path of pages above a record. */
keepList();

function keepList() {
  const trail = document.querySelector('nav.trail');
  const dataset = trail?.querySelector('li:nth-last-child(2) a');
  if (!(trail instanceof HTMLElement) || !(dataset instanceof HTMLAnchorElement)) return;
  // Browsers without a referrer keep the link to the whole dataset.
  const from = URL.parse(document.referrer);
  if (from?.origin !== location.origin) return;
  if (from.pathname === dataset.pathname) dataset.href = `${from.href}#table`;
  const name = trail.dataset['search'];
  if (from.pathname !== '/search' || name === undefined) return;
  const link = document.createElement('a');
  link.href = from.href;
  link.textContent = name;
  const item = document.createElement('li');
  item.append(link);
  dataset.parentElement?.before(item);
}
