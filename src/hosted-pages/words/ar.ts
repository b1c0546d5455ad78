/** Arabic texts that all hosted pages have. */
import type { HostedWords } from './catalogue.js';

export const arabic: HostedWords = {
  frame: {
    skip: 'الانتقال إلى المحتوى',
    language: 'اللغة',
    errorTitle: 'خطأ: {{title}}',
    problem: 'هناك مشكلة',
    helpHeading: 'هل تحتاج إلى مساعدة؟',
    helpMail: 'اكتب إلى {{merchant}}: {{email}}',
    helpPage: 'المساعدة من {{merchant}}',
    helpAsk: 'اسأل {{merchant}}، الجهة التي أرسلتك إلى هنا.',
    returnTo: 'العودة إلى {{merchant}}',
    reference: 'الرقم المرجعي: {{id}}',
    licensedBy: 'تتولى {{name}} تحويل الأموال، {{address}}. {{licence}}، رقم {{number}}.',
    supervisedBy: 'الجهة الرقابية: {{supervisor}}، {{phone}}.',
    complaints: 'الشكاوى: {{email}}',
  },
  failures: {
    notFound: {
      title: 'هذه الصفحة غير موجودة',
      text: 'قد يكون العنوان ناقصًا. افتح الرابط الذي استلمته مرة أخرى.',
    },
    unreadable: {
      title: 'تعذّرت القراءة',
      text: 'ما أرسله متصفحك لم يصل كما يجب. ارجع وحاول مرة أخرى.',
    },
    tooLarge: { title: 'الحجم كبير جدًا', text: 'الملفات كبيرة جدًا. ارجع واختر ملفات أصغر، واحدًا تلو الآخر.' },
    tooMany: {
      title: 'محاولات كثيرة جدًا',
      text: 'كانت هناك محاولات كثيرة في وقت قصير. انتظر دقيقة، ثم ارجع وحاول مرة أخرى.',
    },
    busy: { title: 'نحن مشغولون الآن', text: 'ما حفظته ما زال محفوظًا. انتظر دقيقة، ثم ارجع وحاول مرة أخرى.' },
    unsure: {
      title: 'يُرجى التحقق مرة أخرى',
      text: 'انقطع الاتصال أثناء حفظ إجاباتك. افتح رابطك من جديد لترى هل وصلت.',
    },
    broken: { title: 'حدث خطأ من جانبنا', text: 'ما حفظته ما زال محفوظًا. ارجع وحاول مرة أخرى بعد بضع دقائق.' },
    again: 'حاول مرة أخرى',
  },
};
