/** Small parts that the sections of a transfer page are made of. */
import type { ComponentChildren } from 'preact';
import type { TransferTexts } from './texts/transfer-texts.js';

interface SectionProps {
  readonly heading: string;
  readonly name: string;
  readonly children: ComponentChildren;
}

export function Section({ heading, name, children }: SectionProps) {
  return (
    <section class={`part ${name}`} aria-labelledby={`${name}-heading`}>
      <h2 id={`${name}-heading`}>{heading}</h2>
      {children}
    </section>
  );
}

interface RowProps {
  readonly label: string;
  readonly children: ComponentChildren;
  readonly isStrong?: boolean;
  /** A sentence below the value. */
  readonly why?: string;
  /** What the button beside the value copies. Absent: no button. */
  readonly copied?: { readonly text: string; readonly label: string };
}

export function Row({ label, children, isStrong, why, copied }: RowProps) {
  return (
    <div class={isStrong ? 'row strong' : 'row'}>
      <dt>{label}</dt>
      <dd>
        <span class="value">
          <bdi>{children}</bdi>
          {copied ? (
            // Shown by the script, which alone can copy.
            <button type="button" class="copy" data-copy={copied.text} aria-label={`${copied.label}: ${label}`} hidden>
              {copied.label}
            </button>
          ) : null}
        </span>
        {why ? <span class="why">{why}</span> : null}
      </dd>
    </div>
  );
}

/** In UTC; the script writes it in the time of the browser. */
export function Moment({ at, texts }: { readonly at: Date; readonly texts: TransferTexts }) {
  return <time datetime={at.toISOString()}>{texts.time(at)}</time>;
}
