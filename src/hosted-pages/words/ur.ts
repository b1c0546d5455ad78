/** Urdu texts that all hosted pages have. */
import type { HostedWords } from './catalogue.js';

export const urdu: HostedWords = {
  frame: {
    skip: 'اصل مواد پر جائیں',
    language: 'زبان',
    errorTitle: 'غلطی: {{title}}',
    problem: 'ایک مسئلہ ہے',
    helpHeading: 'کیا آپ کو مدد چاہیے؟',
    helpMail: '{{merchant}} کو لکھیں: {{email}}',
    helpPage: '{{merchant}} سے مدد',
    helpAsk: '{{merchant}} سے پوچھیں، جنہوں نے آپ کو یہاں بھیجا ہے۔',
    returnTo: '{{merchant}} پر واپس جائیں',
    reference: 'حوالہ: {{id}}',
    licensedBy: 'رقم {{name}}، {{address}} بھیجتا ہے۔ {{licence}}، نمبر {{number}}۔',
    supervisedBy: 'نگرانی: {{supervisor}}، {{phone}}۔',
    complaints: 'شکایات: {{email}}',
  },
  failures: {
    notFound: {
      title: 'ایسا کوئی صفحہ نہیں ہے',
      text: 'شاید پتا نامکمل ہے۔ جو لنک آپ کو ملا تھا اسے دوبارہ کھولیں۔',
    },
    unreadable: {
      title: 'یہ پڑھا نہیں جا سکا',
      text: 'آپ کے براؤزر نے جو بھیجا وہ ٹھیک سے نہیں پہنچا۔ واپس جا کر دوبارہ کوشش کریں۔',
    },
    tooLarge: {
      title: 'یہ بہت بڑا تھا',
      text: 'فائلیں بہت بڑی ہیں۔ واپس جا کر چھوٹی فائلیں چنیں، ایک وقت میں ایک۔',
    },
    tooMany: {
      title: 'بہت زیادہ کوششیں',
      text: 'تھوڑے وقت میں بہت زیادہ کوششیں ہوئیں۔ ایک منٹ رکیں، پھر واپس جا کر کوشش کریں۔',
    },
    busy: {
      title: 'ہم اس وقت بہت مصروف ہیں',
      text: 'آپ نے جو محفوظ کیا ہے وہ موجود ہے۔ ایک منٹ رکیں، پھر واپس جا کر کوشش کریں۔',
    },
    unsure: {
      title: 'براہ کرم دوبارہ دیکھیں',
      text: 'جوابات محفوظ کرتے ہوئے رابطہ ٹوٹ گیا۔ اپنا لنک دوبارہ کھول کر دیکھیں کہ وہ پہنچے یا نہیں۔',
    },
    broken: {
      title: 'ہماری طرف کچھ غلط ہو گیا',
      text: 'آپ نے جو محفوظ کیا ہے وہ موجود ہے۔ واپس جائیں اور چند منٹ بعد دوبارہ کوشش کریں۔',
    },
    again: 'دوبارہ کوشش کریں',
  },
};
