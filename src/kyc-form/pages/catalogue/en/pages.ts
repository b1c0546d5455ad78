/** English: everything on the pages that is not a question. */
import { english as hosted } from '../../../../hosted-pages/words/en.js';

const frame = {
  ...hosted.frame,
  back: 'Back',
  continue: 'Save and continue',
  optional: '(optional)',
  choose: 'Choose one',
  onlyFor: 'Only for: {{options}}',
  progress: 'Step {{number}} of {{total}}',
  day: 'Day',
  month: 'Month',
  year: 'Year',
  encrypted: 'What you enter is stored encrypted and is used to check who you are, for {{merchant}}.',
} as const;

const steps = {
  person: {
    title: 'About you',
    intro: 'Enter your name exactly as it appears on your passport or identity card.',
  },
  address: { title: 'Where you live', intro: 'Your home address today.' },
  identification: {
    title: 'Your identification number',
    intro: 'The law where you live requires this number. It distinguishes you from people with the same name.',
  },
  document: {
    title: 'Your identity document',
    intro: 'It must be yours, and valid. All four corners must be in the picture, sharp and without glare.',
  },
  selfie: { title: 'A photo of you', intro: 'It is compared with the picture on your document.' },
  proofOfAddress: {
    title: 'Proof of your address',
    intro: 'A letter or a bill that was sent to you at your home address.',
  },
  funds: {
    title: 'Your work and your money',
    intro: 'For larger amounts the law requires us to ask where the money comes from.',
  },
} as const;

const begin = {
  heading: 'What you need',
  why: '{{merchant}} has to know who you are before it can send money for you.',
  LEVEL_1: 'A few minutes of your time.',
  LEVEL_2: 'Your passport, identity card or another document, and a camera.',
  LEVEL_3: 'Your identity document, a camera, and a letter or bill with your address on it.',
  time: 'You have one hour for each page. What you save is not lost.',
  again: 'Please correct these pages',
  againWhy: 'We could not finish the check. We only need these pages again; each one says what to change.',
  resume: 'You have answered everything',
  resumeText: 'Go on to check your answers and send them.',
  resumeButton: 'Check your answers',
  rejected: 'We could not accept your last form',
} as const;

const upload = {
  accepted: 'JPEG, PNG or PDF, up to {{megabytes}} MB.',
  acceptedPhoto: 'JPEG or PNG, up to {{megabytes}} MB.',
  takePhoto: 'Take a photo',
  chooseFile: 'Choose a file',
  received: 'Received: {{kind}}, {{size}}',
  replace: 'To replace it, choose another one.',
  photo: 'photo',
  pdf: 'PDF',
  preparing: 'Preparing the photo …',
  sending: 'Sending: {{percent}} %',
  checking: 'Checking …',
  sent: 'Received',
  preview: 'The photo that you chose',
  interrupted: 'The connection broke while the file was being sent. Choose it again.',
  waitForIt: 'Wait until the file is sent, then continue.',
} as const;

const uploadFaults = {
  too_large: '{{label}}: the file is larger than {{megabytes}} MB. Take a new photo, or save it smaller',
  empty: '{{label}}: the file is empty. Choose another one',
  not_an_accepted_type: '{{label}}: this kind of file is not accepted. Use a JPEG or PNG photo, or a PDF',
  heic: '{{label}}: this is a HEIC photo, which we cannot read. Take the photo with the button on this page, or save it as JPEG',
  unreadable: '{{label}}: the file is damaged or not complete. Choose another one',
  too_many_pixels: '{{label}}: the picture has too many pixels. Save it smaller, or take a new photo',
  animated: '{{label}}: a moving picture is not accepted. Use a photo',
  pdf_encrypted: '{{label}}: the PDF is locked with a password. Save it without one',
  pdf_active:
    '{{label}}: the PDF has forms, scripts or attachments in it. Print it to a new PDF, or take a photo of it',
  pdf_too_many_pages: '{{label}}: the PDF has too many pages. Send only the page that matters',
  not_a_photo: '{{label}}: this kind of file is not accepted here. Use a JPEG or PNG photo',
  checker_unavailable:
    '{{label}}: the file could not be checked just now. Nothing is wrong with it. Try again in a minute',
  timeout: '{{label}}: the file took too long. Try again, with a better connection or a smaller file',
  too_few_pixels:
    '{{label}}: the picture is too small to be read. It needs at least 600 by 400 pixels: take a new photo from close by, not a screenshot or a thumbnail',
  blank:
    '{{label}}: there is nothing to see in the picture. Make sure that nothing covers the camera and that there is enough light, then take a new photo',
  same_file:
    '{{label}}: you have sent this same picture already, for another question. Take a photo of what is asked for here',
} as const;

const check = {
  title: 'Check your answers',
  intro: 'Nothing has been sent yet. Correct any mistakes, then send your answers.',
  change: 'Change',
  nothing: 'Not given',
  missing: 'Complete this page first: {{title}}',
  consentHeading: 'Before you send this',
  consent: 'I agree to these statements',
  consentRequired: 'Tick the box to say that you agree',
  submit: 'Send my answers',
} as const;

const consent = {
  truth: 'What I have entered is true and complete, and the documents are mine.',
  use: '{{merchant}} and the service that runs this form may use it to check who I am, also against the sanctions and watch lists that the law requires.',
  keep: 'They keep it for as long as the law tells them to, and then delete it.',
} as const;

const status = {
  PENDING: {
    title: 'Not sent yet',
    text: 'Your answers have not been sent. Go back to {{merchant}} to continue.',
  },
  SUBMITTED: {
    title: 'We have received your answers',
    text: 'They are being checked. You do not have to do anything now. We will tell {{merchant}} as soon as there is a result.',
  },
  IN_REVIEW: {
    title: 'We have received your answers',
    text: 'A person is checking them. You do not have to do anything now. We will tell {{merchant}} as soon as there is a result.',
  },
  APPROVED: { title: 'You are verified', text: 'Everything is in order. You can go back to {{merchant}}.' },
  REJECTED: { title: 'We could not verify you' },
  ACTION_REQUIRED: {
    title: 'We need something from you again',
    text: 'You will only be asked for what is missing.',
  },
  EXPIRED: {
    title: 'Your verification has expired',
    text: 'Go back to {{merchant}} to verify yourself again.',
  },
  REVOKED: {
    title: 'Your verification is no longer valid',
    text: 'Contact {{merchant}} to find out what to do next.',
  },
  keep: 'You can look at this page again for 90 days. It shows no personal information.',
  validUntil: 'Valid until {{date}}',
  heldUntil: 'Your current verification stays valid until {{date}}.',
  why: 'The reason',
  reopen: 'Continue',
  next: 'What you can do next',
  tryAgain:
    'You can try again. Go back to {{merchant}} and open the form once more. There is no deadline. Correct what the reason names before you send it.',
  finalNext: 'This decision is final: the form cannot be sent again.',
  objection: 'If you think that this is a mistake, contact {{merchant}} and give the reference below.',
} as const;

const reasons = {
  blurry: 'The photo was blurred or too dark. Take it in daylight and hold the phone still.',
  cropped: 'A part of the document was cut off. All four corners must be in the picture.',
  expired_document: 'The document has expired. Use one that is still valid.',
  wrong_document: 'This was not the document that we asked for.',
  unsupported_document: 'This kind of document is not accepted. Use a passport, for example.',
  mismatch: 'What you entered and what the document says are not the same.',
  incomplete: 'Something was missing.',
  underage: 'You must be at least 18 years old.',
  COMPLIANCE: 'The rules that we must follow do not allow it.',
  other: 'Something could not be confirmed.',
} as const;

const ended = {
  expired: {
    title: 'This link has expired',
    text: 'To protect you, a link works for a limited time only. What you saved is kept. Go back to {{merchant}} for a new link.',
  },
  submitted: {
    title: 'This form has already been sent',
    text: 'Your answers have arrived, and nothing more is needed here. Go back to {{merchant}} to see how it went.',
  },
  held: {
    title: 'You are already verified',
    text: 'There is nothing to do here. You can go back to {{merchant}}.',
  },
  refused: {
    title: 'We cannot verify you',
    text: 'The decision is final. If you have a question about it, contact {{merchant}}.',
  },
  unknown: {
    title: 'This link does not work',
    text: 'It may be incomplete or very old. Go back to where you got it and ask for a new one.',
  },
} as const;

const time = {
  heading: 'Do you need more time?',
  extend: 'I need more time',
  extended: 'You have more time now.',
  atEnd: 'The time cannot be extended any further. Save this page now. You can go on later with a new link.',
  over: 'The time for this page is over. What you saved before is kept. Ask {{merchant}} for a new link.',
  offline: 'There is no connection. What you entered is still here: try again when you are online.',
} as const;

/** With one form for each plural of the language. */
const counts = {
  minutesLeft_one: 'This page closes in one minute. What is not saved by then is lost.',
  minutesLeft_other: 'This page closes in {{count}} minutes. What is not saved by then is lost.',
} as const;

export const pages = {
  frame,
  steps,
  begin,
  upload,
  uploadFaults,
  check,
  consent,
  status,
  reasons,
  ended,
  failures: hosted.failures,
  time,
  counts,
};
