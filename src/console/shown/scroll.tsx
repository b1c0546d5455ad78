/** What is wider than the page scrolls in itself, also by keyboard. */
import type { ComponentChildren } from 'preact';

export function Scroll({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div class="scroll" role="group" aria-label={label} tabindex={0}>
      {children}
    </div>
  );
}
