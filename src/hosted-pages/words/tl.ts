/** Tagalog texts that all hosted pages have. */
import type { HostedWords } from './catalogue.js';

export const tagalog: HostedWords = {
  frame: {
    skip: 'Lumaktaw sa nilalaman',
    language: 'Wika',
    errorTitle: 'May mali: {{title}}',
    problem: 'May problema',
    helpHeading: 'Kailangan mo ba ng tulong?',
    helpMail: 'Sumulat sa {{merchant}}: {{email}}',
    helpPage: 'Tulong mula sa {{merchant}}',
    helpAsk: 'Magtanong sa {{merchant}}, na nagpadala sa iyo rito.',
    returnTo: 'Bumalik sa {{merchant}}',
    reference: 'Sanggunian: {{id}}',
    licensedBy: 'Ang pera ay ipinapadala ng {{name}}, {{address}}. {{licence}}, numero {{number}}.',
    supervisedBy: 'Pinangangasiwaan ng {{supervisor}}, {{phone}}.',
    complaints: 'Mga reklamo: {{email}}',
  },
  failures: {
    notFound: {
      title: 'Walang ganitong pahina',
      text: 'Baka kulang ang address. Buksan muli ang link na ibinigay sa iyo.',
    },
    unreadable: {
      title: 'Hindi ito mabasa',
      text: 'Hindi dumating nang maayos ang ipinadala ng iyong browser. Bumalik at subukan muli.',
    },
    tooLarge: {
      title: 'Masyado itong malaki',
      text: 'Masyadong malaki ang mga file. Bumalik at pumili ng mas maliit, isa-isa.',
    },
    tooMany: {
      title: 'Napakaraming pagsubok',
      text: 'Napakaraming pagsubok sa maikling panahon. Maghintay ng isang minuto, saka bumalik at subukan muli.',
    },
    busy: {
      title: 'Napakarami naming ginagawa ngayon',
      text: 'Nakatago pa rin ang mga na-save mo. Maghintay ng isang minuto, saka bumalik at subukan muli.',
    },
    unsure: {
      title: 'Pakitingnan muli',
      text: 'Naputol ang koneksyon habang sine-save ang iyong mga sagot. Buksan muli ang iyong link para makita kung dumating ang mga ito.',
    },
    broken: {
      title: 'May nangyaring mali sa panig namin',
      text: 'Nakatago pa rin ang mga na-save mo. Bumalik at subukan muli pagkalipas ng ilang minuto.',
    },
    again: 'Subukan muli',
  },
};
