/**
 * Moves and zooms the map of a dataset by mouse, touch and keyboard. The server draws each part of the map; until it
 * has, the drawing of the last one is moved. Without scripts, circles and buttons are links.
 */
import { offerCopies } from './copy.js';

/** @typedef {{ west: number, north: number, span: number }} Frame */

const settleMs = 250;
/** @type {Map<number, PointerEvent>} */
const pointers = new Map();
/** The frame that the drawing is moved to; null while it stands still. @type {Frame | null} */
let moved = null;
let isDragged = false;
let timer = 0;
let request = new AbortController();

equip();
addEventListener('popstate', () => location.reload());

/** Prepares a map that has just been drawn. */
function equip() {
  const map = mapElement();
  if (map === null) return;
  map.tabIndex = 0;
  map.addEventListener('pointerdown', (event) => {
    if (event.button === 0) pointers.set(event.pointerId, event);
    isDragged = false;
  });
  map.addEventListener('pointermove', (event) => drag(map, event));
  for (const end of /** @type {const} */ (['pointerup', 'pointercancel', 'pointerleave'])) {
    map.addEventListener(end, (event) => {
      if (pointers.delete(event.pointerId) && moved !== null) settle(map);
    });
  }
  // A link of the drawing is not dragged away, and not followed after the map was.
  map.addEventListener('dragstart', (event) => event.preventDefault());
  map.addEventListener('wheel', (event) => {
    // Without the key the wheel scrolls the page; browsers add the key to a pinch of a touchpad.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top, width, height } = map.getBoundingClientRect();
    const place = { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
    // A wheel sends steps of 100, a touchpad many small ones.
    const doublings = Math.max(-0.5, Math.min(0.5, event.deltaY / 200));
    move(map, zoomed(frameOf(map), 2 ** doublings, place));
    settle(map);
  });
  map.addEventListener('keydown', (event) => {
    const next = byKey(frameOf(map), event.key);
    if (next === null) return;
    event.preventDefault();
    move(map, next);
    settle(map);
  });
  document.querySelector('.map-view')?.addEventListener('click', follow);
  for (const id of ['map-privacy', 'map-keys'])
    document.getElementById(id)?.removeAttribute('hidden');
  const here = document.querySelector('button.here');
  if (here instanceof HTMLButtonElement && 'geolocation' in navigator) {
    here.hidden = false;
    here.addEventListener('click', () => locate(here));
  }
}

/** @returns {HTMLElement | null} */
function mapElement() {
  return document.querySelector('.map');
}

/**
 * The frame of the map as it is seen.
 * @param {HTMLElement} map
 * @returns {Frame}
 */
function frameOf(map) {
  return moved ?? drawnFrame(map);
}

/**
 * The frame that the server drew.
 * @param {HTMLElement} map
 * @returns {Frame}
 */
function drawnFrame(map) {
  const [west = 0, north = 0, span = 1] = (map.dataset['frame'] ?? '').split(' ').map(Number);
  return { west, north, span };
}

/**
 * Follows one finger or the mouse, and two fingers that move apart.
 * @param {HTMLElement} map
 * @param {PointerEvent} event
 */
function drag(map, event) {
  const last = pointers.get(event.pointerId);
  if (last === undefined) return;
  const { left, top, width, height } = map.getBoundingClientRect();
  const frame = frameOf(map);
  const other = [...pointers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
  const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
  if (other === undefined) {
    if (!isDragged && Math.hypot(dx, dy) < 4) return;
    if (!isDragged) map.setPointerCapture(event.pointerId);
    move(map, shifted(frame, -dx / width, -dy / height));
  } else {
    const before = Math.hypot(last.clientX - other.clientX, last.clientY - other.clientY);
    const after = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
    const place = {
      x: ((event.clientX + other.clientX) / 2 - left) / width,
      y: ((event.clientY + other.clientY) / 2 - top) / height,
    };
    if (after > 0) move(map, zoomed(frame, before / after, place));
  }
  isDragged = true;
  pointers.set(event.pointerId, event);
}

/**
 * @param {Frame} frame
 * @param {string} key
 * @returns {Frame | null}
 */
function byKey(frame, key) {
  const step = 0.25;
  switch (key) {
    case 'ArrowLeft':
      return shifted(frame, -step, 0);
    case 'ArrowRight':
      return shifted(frame, step, 0);
    case 'ArrowUp':
      return shifted(frame, 0, -step);
    case 'ArrowDown':
      return shifted(frame, 0, step);
    case '+':
    case '=':
      return zoomed(frame, 0.5, { x: 0.5, y: 0.5 });
    case '-':
      return zoomed(frame, 2, { x: 0.5, y: 0.5 });
    default:
      return null;
  }
}

/**
 * A frame moved by shares of its width and height.
 * @param {Frame} frame
 * @param {number} x
 * @param {number} y
 * @returns {Frame}
 */
function shifted({ west, north, span }, x, y) {
  return { west: west + x * span, north: north - y * span, span };
}

/**
 * A frame made larger or smaller around a place, which stays where it is.
 * @param {Frame} frame
 * @param {number} factor
 * @param {{ x: number, y: number }} place
 * @returns {Frame}
 */
function zoomed({ west, north, span }, factor, { x, y }) {
  const [least = 0, most = 1] = (mapElement()?.dataset['limits'] ?? '').split(' ').map(Number);
  const next = Math.min(most, Math.max(least, span * factor));
  return { west: west + x * (span - next), north: north - y * (span - next), span: next };
}

/**
 * Moves the drawing to a frame.
 * @param {HTMLElement} map
 * @param {Frame} frame
 */
function move(map, frame) {
  moved = frame;
  const drawn = drawnFrame(map);
  const drawing = map.querySelector('svg');
  if (drawing === null) return;
  const percent = (/** @type {number} */ degrees) => (degrees / frame.span) * 100;
  const scale = drawn.span / frame.span;
  drawing.style.transformOrigin = '0 0';
  drawing.style.transform = `translate(${percent(drawn.west - frame.west)}%, ${percent(frame.north - drawn.north)}%) scale(${scale})`;
}

/**
 * Fetches the map of the frame once it moves no more.
 * @param {HTMLElement} map
 */
function settle(map) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const { west, north, span } = frameOf(map);
    const target = new URL(location.href);
    const box = [west, north - span, west + span, north].map((one) => Number(one.toFixed(4)));
    target.searchParams.set('bbox', box.join(','));
    target.searchParams.delete('offset');
    history.replaceState(null, '', target);
    void show(target);
  }, settleMs);
}

/**
 * Opens a link to another part of the map in place.
 * @param {Event} event
 */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || !(event instanceof MouseEvent)) return;
  if (isDragged) {
    event.preventDefault();
    isDragged = false;
    return;
  }
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = new URL(link.getAttribute('href') ?? '', location.href);
  const isMap = target.pathname === location.pathname && target.searchParams.get('view') === 'map';
  if (!isMap) return;
  event.preventDefault();
  history.pushState(null, '', target);
  void show(target);
}

/**
 * Replaces the content of the page with that of an address.
 * @param {URL} target
 */
async function show(target) {
  request.abort();
  request = new AbortController();
  const { signal } = request;
  const hadFocus = document.activeElement === mapElement();
  try {
    const response = await fetch(target, { signal, headers: { accept: 'text/html' } });
    if (!response.ok) throw new Error(`${response.status}`);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [main, next] = [document.querySelector('main'), page.querySelector('main')];
    if (signal.aborted || pointers.size > 0 || main === null || next === null) return;
    main.replaceChildren(...next.childNodes);
    moved = null;
    offerCopies();
    equip();
    if (hadFocus) mapElement()?.focus();
    announce();
  } catch {
    if (!signal.aborted) location.assign(target);
  }
}

/** Reads the new number of records aloud. */
function announce() {
  const status = document.querySelector('[role="status"].spoken');
  if (status !== null) status.textContent = document.querySelector('.count')?.textContent ?? '';
}

/**
 * Sorts the records by their distance from the reader. Nothing but a rounded position leaves the page.
 * @param {HTMLButtonElement} button
 */
function locate(button) {
  const note = document.getElementById('map-privacy');
  const say = (/** @type {string | undefined} */ text) => {
    if (note !== null) note.textContent = text ?? '';
  };
  say(button.dataset['locating']);
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      const target = new URL(location.href);
      const position = [coords.latitude, coords.longitude].map((one) => one.toFixed(3));
      target.searchParams.set('near', position.join(','));
      // The position takes the place of one that the search words name.
      const { topic } = button.dataset;
      if (topic === '') target.searchParams.delete('q');
      else if (topic !== undefined) target.searchParams.set('q', topic);
      for (const name of ['bbox', 'offset', 'sort', 'radius', 'place'])
        target.searchParams.delete(name);
      history.pushState(null, '', target);
      void show(target);
    },
    () => say(button.dataset['refused']),
    { maximumAge: 60_000, timeout: 10_000 },
  );
}
