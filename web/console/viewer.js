// Pictures of documents: larger, smaller, turned. Without a script each has a link to its full size.
const most = 6;
const step = 1.5;

/** @typedef {{ image: HTMLImageElement, box: HTMLElement, zoom: number, angle: number }} View */
/** @typedef {(view: View) => void} Act */

/** @type {ReadonlyMap<string, { sign: string, name: string, act: Act }>} */
const tools = new Map([
  ['+', { sign: '+', name: 'Larger', act: (view) => zoomTo(view, view.zoom * step) }],
  ['-', { sign: '−', name: 'Smaller', act: (view) => zoomTo(view, view.zoom / step) }],
  ['r', { sign: '↻', name: 'Turn', act: turn }],
]);

/** The view that the keys are about: the one that was used last. */
/** @type {View | undefined} */
let current;

/** Keys: `+`, `-` and `r` for the document in use, a digit to go to another one. */
export function showDocuments() {
  const views = [...document.querySelectorAll('[data-document]')].flatMap((figure) => {
    const [image, box] = [figure.querySelector('img'), figure.querySelector('.picture')];
    const caption = figure.querySelector('figcaption');
    if (!image || !(box instanceof HTMLElement) || !caption) return [];
    const view = { image, box, zoom: 1, angle: 0 };
    caption.append(toolbar(view));
    box.addEventListener('focus', () => {
      current = view;
    });
    return [view];
  });
  if (views.length === 0) return;
  current = views[0];
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const chosen = /^[1-9]$/.test(event.key) ? views[Number(event.key) - 1] : undefined;
    const tool = tools.get(event.key);
    chosen?.box.focus();
    if (current && tool) tool.act(current);
  });
}

/** @param {View} view */
function toolbar(view) {
  const bar = document.createElement('span');
  bar.className = 'tools';
  for (const { sign, name, act } of tools.values()) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'small';
    button.textContent = sign;
    button.title = name;
    button.setAttribute('aria-label', `${name}: ${view.image.alt}`);
    button.addEventListener('click', () => {
      current = view;
      act(view);
    });
    bar.append(button);
  }
  return bar;
}

/**
 * @param {View} view
 * @param {number} zoom
 */
function zoomTo(view, zoom) {
  const { box } = view;
  const before = view.zoom;
  view.zoom = Math.min(Math.max(zoom, 1), most);
  const factor = view.zoom / before;
  const [left, top] = [box.scrollLeft + box.clientWidth / 2, box.scrollTop + box.clientHeight / 2];
  draw(view);
  box.scrollTo(left * factor - box.clientWidth / 2, top * factor - box.clientHeight / 2);
}

/** @param {View} view */
function turn(view) {
  view.angle = (view.angle + 90) % 360;
  draw(view);
}

/**
 * The size is that of the picture before it is turned around its middle.
 * @param {View} view
 */
function draw({ image, box, zoom, angle }) {
  const [width, height] = [box.clientWidth * zoom, box.clientHeight * zoom];
  const isOnSide = angle % 180 !== 0;
  const aside = (width - height) / 2;
  image.style.width = `${isOnSide ? height : width}px`;
  image.style.height = `${isOnSide ? width : height}px`;
  image.style.transform = `${isOnSide ? `translate(${aside}px, ${-aside}px) ` : ''}rotate(${angle}deg)`;
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog[open]') !== null;
}
