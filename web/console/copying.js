/** A click on an id copies it, unless it is a link. A line that has a button says so. */
export function makeCopyable() {
  if (!navigator.clipboard) return;
  for (const element of document.querySelectorAll('code')) {
    if (element.dataset.copy === undefined || element.closest('a')) continue;
    const copy = () => navigator.clipboard.writeText(element.dataset.copy || element.textContent || '');
    if (element.dataset.button !== undefined) {
      element.after(buttonFor(copy));
      continue;
    }
    element.title = 'Click to copy';
    element.addEventListener('click', async () => {
      await copy();
      element.title = 'Copied';
    });
  }
}

/** @param {() => Promise<void>} copy */
function buttonFor(copy) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'small quiet';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await copy();
    button.textContent = 'Copied';
  });
  return button;
}
