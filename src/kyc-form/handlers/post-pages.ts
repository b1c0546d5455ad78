/** The POST pages of the form: save a step or a file, extend the time, submit. */
import type { Clock } from '../../clock.js';
import type { Inspection, InspectUpload, UploadSource } from '../../documents/inspect.js';
import type { FormFields } from '../../http/body/form.js';
import type { PageAnswer, Posted } from '../../http/page.js';
import { FixedWindows, rateLimited } from '../../http/traffic/fixed-windows.js';
import type { FormService } from '../../kyc/submissions/service.js';
import type { StepView } from '../../kyc/submissions/state.js';
import type { FormEnded, FormView, OpenForm } from '../../kyc/submissions/view.js';
import { localeOf } from '../../locale.js';
import { type CheckPage, checkPage } from '../pages/check-page.js';
import { type PageContext, pageContextOf, pathOfStep } from '../pages/page-context.js';
import { secondsLeft } from '../pages/remaining.js';
import { stepPage } from '../pages/step-page.js';
import { consentVersion } from '../pages/texts/consent.js';
import { forScript, redirect, showEnded } from './browser-answers.js';
import { type PostedStep, postSingleFile, postStep, type ReceivedFile, receiveFile } from './submit-step.js';
import { waitWhile } from './wait.js';

export interface PostPagesOptions {
  readonly forms: FormService;
  readonly inspect: InspectUpload;
  readonly clock: Clock;
}

/** Users stay far below this, also when the script sends photos ahead. */
const postsOfOneForm = { name: 'form posts', requests: 60, windowSeconds: 60 } as const;

interface Opened {
  readonly form: FormView | FormEnded;
  readonly step: StepView | undefined;
}

export class PostPages {
  readonly #options: PostPagesOptions;
  readonly #posts = new FixedWindows(postsOfOneForm.requests, postsOfOneForm.windowSeconds);

  constructor(options: PostPagesOptions) {
    this.#options = options;
  }

  /** Accepted from any origin. The token is a field here; in all later requests it is in the address. */
  first(posted: Posted): Promise<PageAnswer> {
    return this.#first(posted).catch((error) => {
      if (error instanceof FormNotOpen) return showEnded(posted, error.ended, error.token, true);
      throw error;
    });
  }

  async #first(posted: Posted): Promise<PageAnswer> {
    let opened: Promise<Opened> | undefined;
    const open = (fields: FormFields) => {
      opened ??= this.#open(posted, fields.get('token') ?? '', fields.get('step'));
      return opened;
    };
    const { fields, files } = await posted.readForm(async (file, before) => {
      const { form, step } = await open(before);
      // Stops reading the body when the form is not open.
      if (form.kind !== 'open') throw new FormNotOpen(form, before.get('token') ?? '');
      return step && receiveFile(this.#inspectOf(before.get('token') ?? ''), step, file);
    });
    const { form, step } = await open(fields);
    const token = fields.get('token') ?? '';
    const lang = localeOf(fields.get('lang')) ?? posted.search.lang;
    const visit = { ...posted, search: { ...posted.search, lang } };
    if (form.kind !== 'open') return showEnded(visit, form, token, true);
    const context = pageContextOf(visit, form, step && pathOfStep(token, step.id));
    if (!step) return redirect(context, `form/${token}`);
    return this.#save(posted, context, { view: form, step, token, fields, files: files.filter(isExpected) });
  }

  async step(posted: Posted, token: string, stepId: string): Promise<PageAnswer> {
    const { form: view, step } = await this.#open(posted, token, stepId);
    if (view.kind !== 'open') return showEnded(posted, view, token, true);
    const context = pageContextOf(posted, view, step && pathOfStep(token, step.id));
    if (!step) return forScript(posted, redirect(context, `form/${token}`));
    const inspect = this.#inspectOf(token);
    const { fields, files } = await posted.readForm((file) => receiveFile(inspect, step, file));
    const postedStep = { view, step, token, fields, files: files.filter(isExpected) };
    if (posted.wantsJson && fields.get('upload') === 'alone') {
      return postSingleFile(this.#options.forms, posted, context, postedStep);
    }
    return this.#save(posted, context, postedStep);
  }

  async check(posted: Posted, token: string): Promise<PageAnswer> {
    const form = await this.#find(posted, token);
    if (form.kind !== 'open') return showEnded(posted, form, token, true);
    const context = pageContextOf(posted, form, pathOfStep(token, 'check'));
    const { fields } = await posted.readForm(async () => undefined);
    if (fields.get('consent') !== 'yes') return this.#showAnswers(posted, token, { lacksConsent: true });
    const consent = { consentVersion, locale: context.texts.locale };
    const outcome = await posted.change((tx) => this.#options.forms.submit(tx, token, consent));
    if (outcome.kind === 'done') {
      posted.releaseSlot();
      await waitWhile(() => this.#options.forms.isUndecided(posted.database, outcome.kycCase));
      return forScript(posted, redirect(context, `status/${outcome.statusToken}`));
    }
    if (outcome.kind !== 'missing') return showEnded(posted, outcome, token, true);
    return this.#showAnswers(posted, token, { missing: outcome.steps });
  }

  async extend(posted: Posted, token: string): Promise<PageAnswer> {
    const form = await this.#find(posted, token);
    if (form.kind !== 'open') return showEnded(posted, form, token, true);
    const outcome = await posted.change((tx) => this.#options.forms.extend(tx, token));
    if (outcome.kind !== 'extended') return showEnded(posted, outcome, token, true);
    if (posted.wantsJson) return { json: { expiresInSeconds: secondsLeft(outcome, this.#options.clock.now()) } };
    return redirect(pageContextOf(posted, form, undefined), `form/${token}`);
  }

  /** From an old link into a new form that asks for what is needed again; otherwise back to the old link. */
  async reopen(posted: Posted, purpose: 'form' | 'status', token: string): Promise<PageAnswer> {
    this.#count(token);
    const kind = purpose === 'form' ? 'write' : 'status';
    const reopened = await posted.change((tx) => this.#options.forms.reopen(tx, kind, token));
    const context = pageContextOf(posted, undefined, undefined);
    return redirect(context, reopened === undefined ? `${purpose}/${token}` : `form/${reopened}`);
  }

  /** Counts by form, so that one form cannot use the memory and the checkers of all. */
  #inspectOf(token: string): (source: UploadSource) => Promise<Inspection> {
    return (source) => this.#options.inspect(source, token);
  }

  /** Finds out before the body is read whether the form is open. */
  async #find({ database }: Posted, token: string): Promise<OpenForm | FormEnded> {
    const form = await this.#options.forms.find(database, token);
    if (form.kind === 'open') this.#count(token);
    return form;
  }

  /** Opens the form before the body is read. */
  async #open({ database }: Posted, token: string, stepId: string | undefined): Promise<Opened> {
    const form = await this.#options.forms.open(database, token);
    if (form.kind !== 'open') return { form, step: undefined };
    this.#count(token);
    return { form, step: form.steps.find(({ id }) => id === stepId) };
  }

  #count(token: string): void {
    const { left, resetSeconds } = this.#posts.count(token);
    if (left < 0) throw rateLimited(postsOfOneForm, resetSeconds);
  }

  async #showAnswers(
    posted: Posted,
    token: string,
    refusal: Pick<CheckPage, 'lacksConsent' | 'missing'>,
  ): Promise<PageAnswer> {
    const view = await this.#options.forms.open(posted.database, token);
    if (view.kind !== 'open') return showEnded(posted, view, token, true);
    const context = pageContextOf(posted, view, pathOfStep(token, 'check'));
    const now = this.#options.clock.now();
    return forScript(posted, checkPage(context, { view, token, now, ...refusal }));
  }

  async #save(posted: Posted, context: PageContext, postedStep: PostedStep): Promise<PageAnswer> {
    const { view, token } = postedStep;
    const result = await postStep(this.#options.forms, posted, postedStep);
    if (result.kind === 'ended') return showEnded(posted, result.ended, token, true);
    if (result.kind === 'saved') {
      return forScript(posted, redirect(context, pathOfStep(token, result.next)));
    }
    const now = this.#options.clock.now();
    return forScript(posted, stepPage(context, { view, token, now, ...result }));
  }
}

/** Thrown while a body is read, to stop reading it. */
class FormNotOpen extends Error {
  override readonly name = 'FormNotOpen';

  constructor(
    readonly ended: FormEnded,
    readonly token: string,
  ) {
    super('the form is not open');
  }
}

function isExpected(file: ReceivedFile | undefined): file is ReceivedFile {
  return file !== undefined;
}
