/** A click on an id copies it, unless it is a link. */
export function makeCopyable() {
  if (!navigator.clipboard) return;
  for (const element of document.querySelectorAll('code')) {
    if (element.dataset.copy === undefined || element.closest('a')) continue;
    element.title = 'Click to copy';
    element.addEventListener('click', async () => {
      await navigator.clipboard.writeText(element.dataset.copy || element.textContent || '');
      element.title = 'Copied';
    });
  }
}
