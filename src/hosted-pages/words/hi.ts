/** Hindi texts that all hosted pages have. */
import type { HostedWords } from './catalogue.js';

export const hindi: HostedWords = {
  frame: {
    skip: 'सीधे मुख्य हिस्से पर जाएँ',
    language: 'भाषा',
    errorTitle: 'गलती: {{title}}',
    problem: 'एक समस्या है',
    helpHeading: 'क्या आपको मदद चाहिए?',
    helpMail: '{{merchant}} को लिखें: {{email}}',
    helpPage: '{{merchant}} से मदद',
    helpAsk: '{{merchant}} से पूछें, जिन्होंने आपको यहाँ भेजा है।',
    returnTo: '{{merchant}} पर वापस जाएँ',
    reference: 'संदर्भ: {{id}}',
    licensedBy: 'पैसा {{name}}, {{address}} भेजता है। {{licence}}, संख्या {{number}}।',
    supervisedBy: 'निगरानी: {{supervisor}}, {{phone}}।',
    complaints: 'शिकायतें: {{email}}',
  },
  failures: {
    notFound: {
      title: 'ऐसा कोई पेज नहीं है',
      text: 'हो सकता है कि पता अधूरा हो। जो लिंक आपको मिला था, उसे फिर से खोलें।',
    },
    unreadable: {
      title: 'इसे पढ़ा नहीं जा सका',
      text: 'आपके ब्राउज़र ने जो भेजा, वह ठीक से नहीं पहुँचा। वापस जाकर फिर कोशिश करें।',
    },
    tooLarge: {
      title: 'यह बहुत बड़ा था',
      text: 'फ़ाइलें बहुत बड़ी हैं। वापस जाकर छोटी फ़ाइलें चुनें, एक बार में एक।',
    },
    tooMany: {
      title: 'बहुत ज़्यादा कोशिशें',
      text: 'थोड़े समय में बहुत ज़्यादा कोशिशें हुईं। एक मिनट रुकें, फिर वापस जाकर कोशिश करें।',
    },
    busy: {
      title: 'अभी हम बहुत व्यस्त हैं',
      text: 'आपने जो सहेजा है, वह सुरक्षित है। एक मिनट रुकें, फिर वापस जाकर कोशिश करें।',
    },
    unsure: {
      title: 'कृपया फिर से देखें',
      text: 'जवाब सहेजते समय कनेक्शन टूट गया। अपना लिंक फिर से खोलकर देखें कि वे पहुँचे या नहीं।',
    },
    broken: {
      title: 'हमारी तरफ़ कुछ गड़बड़ हो गई',
      text: 'आपने जो सहेजा है, वह सुरक्षित है। वापस जाएँ और कुछ मिनट बाद फिर कोशिश करें।',
    },
    again: 'फिर कोशिश करें',
  },
};
