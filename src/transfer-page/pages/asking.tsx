/** What the sender is asked for, as a form: answers, documents, and whether the money goes at a new rate. */
import { acceptedMediaTypes } from '../../documents/inspect.js';
import type { PageFault } from '../../hosted-pages/frame.js';
import { amount } from '../../money/amount.js';
import type { Order, RequotedTerms } from '../../orders/order/order.js';
import type { RequirementCode } from '../../orders/order/requirement.js';
import type { OpenTransfer } from '../service.js';
import { AreaField, FileField } from './fields.js';
import { addressOf, type PageContext } from './page-context.js';
import { Moment, Row, Section } from './parts.js';
import type { TransferTexts } from './texts/transfer-texts.js';

export type AnswerFault = 'required' | 'documentRequired' | 'documentRefused' | 'tooLong';

/** What was wrong with the answers that were sent, and what was entered. */
export interface RefusedAnswers {
  readonly faults: Readonly<Partial<Record<RequirementCode, AnswerFault>>>;
  readonly entered: Readonly<Partial<Record<RequirementCode, string>>>;
}

interface AskingProps {
  readonly transfer: OpenTransfer;
  readonly token: string;
  readonly context: PageContext;
  readonly refused: RefusedAnswers | undefined;
}

type Asked = OpenTransfer['view']['requirements'][number];

export function answerField(code: RequirementCode): string {
  return `answer-${code}`;
}

export function documentField(code: RequirementCode): string {
  return `document-${code}`;
}

/** The field that a fault belongs to, for the summary at the top of the page. */
export function answerFaults({ texts }: PageContext, refused: RefusedAnswers | undefined): PageFault[] {
  return Object.entries(refused?.faults ?? {}).map(([name, fault]) => {
    const code = name as RequirementCode;
    const field = fault.startsWith('document') ? documentField(code) : answerField(code);
    return { field, text: `${texts.transfer.ask[code]}: ${texts.transfer.ask[fault]}` };
  });
}

export function Asking(props: AskingProps) {
  const { transfer, token, context } = props;
  const { texts } = context;
  const { requirements } = transfer.view;
  const until = transfer.order.actionRequiredBy;
  const questions = requirements.filter(({ needs }) => needs !== 'choice');
  if (requirements.length === 0) return null;
  return (
    <Section heading={texts.transfer.stages.answer.title} name="asking">
      {until ? (
        <p>
          {texts.transfer.ask.until
            .split('{{time}}')
            .flatMap((part, index) => [index > 0 ? <Moment key="until" at={until} texts={texts} /> : null, part])}
        </p>
      ) : null}
      {questions.length < requirements.length ? <Choosing {...props} /> : null}
      {questions.length === 0 ? null : (
        <form method="post" action={addressOf(context, `${token}/answers`)} enctype="multipart/form-data">
          {questions.map((asked) => (
            <Question key={asked.code} asked={asked} {...props} />
          ))}
          <div class="actions">
            <button type="submit" class="main">
              {texts.transfer.ask.send}
            </button>
          </div>
        </form>
      )}
    </Section>
  );
}

function Question({ asked, token, context, refused }: AskingProps & { readonly asked: Asked }) {
  const { texts } = context;
  const { ask } = texts.transfer;
  const { code, needs } = asked;
  const fault = refused?.faults[code];
  const said = fault && ask[fault];
  const file = { accept: acceptedMediaTypes.join(','), id: documentField(code) };
  if (needs === 'document') return <FileField {...file} label={ask[code]} hint={ask.document} fault={said} />;
  if (needs === 'beneficiary') {
    const id = answerField(code);
    return (
      <fieldset class={fault ? 'field faulty' : 'field'}>
        <legend>{ask[code]}</legend>
        {said ? <p class="fault">{said}</p> : null}
        <div class="choice">
          <input type="checkbox" id={id} name={id} value="yes" />
          <label for={id}>{ask.beneficiary_right}</label>
        </div>
        <p>
          <a class="aside-link" href={addressOf(context, `${token}/recipient`)}>
            {ask.correct}
          </a>
        </p>
      </fieldset>
    );
  }
  return (
    <>
      <AreaField
        id={answerField(code)}
        label={ask[code]}
        value={refused?.entered[code]}
        fault={fault === 'documentRefused' ? undefined : said}
      />
      <FileField
        {...file}
        label={ask.optionalDocument}
        hint={ask.document}
        fault={fault === 'documentRefused' ? said : undefined}
      />
    </>
  );
}

/** The old terms and the new ones, and one button for each answer. */
function Choosing({ transfer: { order, view }, token, context }: AskingProps) {
  const { texts } = context;
  const { ask } = texts.transfer;
  const requote = order.requotes.at(-1);
  if (!requote) return null;
  return (
    <form method="post" action={addressOf(context, `${token}/requote`)}>
      <input type="hidden" name="version" value={view.version} />
      <dl class="rows">
        <Row label={ask.before}>{amountsOf(order, requote.before, texts)}</Row>
        <Row label={ask.after} isStrong>
          {amountsOf(order, requote.after, texts)}
        </Row>
      </dl>
      <div class="actions both">
        <button type="submit" class="main" name="answer" value="accept">
          {ask.accept}
        </button>
        <button type="submit" class="other" name="answer" value="refuse">
          {ask.refuse}
        </button>
      </div>
    </form>
  );
}

/** The arrow is mirrored by the direction of the text. */
function amountsOf({ amountIn, amountOut }: Order, terms: RequotedTerms, texts: TransferTexts): string {
  const paid = texts.money(amount(amountIn.currency, BigInt(terms.amountInMinor)));
  const arrives = texts.money(amount(amountOut.currency, BigInt(terms.amountOutMinor)));
  return texts.direction === 'rtl' ? `${paid} ← ${arrives}` : `${paid} → ${arrives}`;
}
