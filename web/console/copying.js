/** A click on an id copies it, unless it is a link. */
export function makeCopyable() {
  for (const element of document.querySelectorAll('[data-copy]')) {
    if (element.closest('a')) continue;
    element.title = 'Click to copy';
    element.addEventListener('click', async () => {
      await navigator.clipboard?.writeText(element.dataset.copy || element.textContent || '');
      element.title = 'Copied';
    });
  }
}
