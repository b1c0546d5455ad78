/** Portuguese texts that all hosted pages have. */
import type { HostedWords } from './catalogue.js';

export const portuguese: HostedWords = {
  frame: {
    skip: 'Ir para o conteúdo',
    language: 'Idioma',
    errorTitle: 'Erro: {{title}}',
    problem: 'Há um problema',
    helpHeading: 'Precisa de ajuda?',
    helpMail: 'Escreva para {{merchant}}: {{email}}',
    helpPage: 'Ajuda de {{merchant}}',
    helpAsk: 'Pergunte a {{merchant}}, que enviou você para cá.',
    returnTo: 'Voltar para {{merchant}}',
    reference: 'Referência: {{id}}',
    licensedBy: 'O dinheiro é transferido por {{name}}, {{address}}. {{licence}}, número {{number}}.',
    supervisedBy: 'Supervisão: {{supervisor}}, {{phone}}.',
    complaints: 'Reclamações: {{email}}',
  },
  failures: {
    notFound: {
      title: 'Esta página não existe',
      text: 'O endereço pode estar incompleto. Abra de novo o link que recebeu.',
    },
    unreadable: {
      title: 'Não foi possível ler',
      text: 'O que o seu navegador enviou não chegou como devia. Volte e tente de novo.',
    },
    tooLarge: {
      title: 'Era grande demais',
      text: 'Os arquivos são grandes demais. Volte e escolha arquivos menores, um de cada vez.',
    },
    tooMany: {
      title: 'Muitas tentativas',
      text: 'Houve muitas tentativas em pouco tempo. Espere um minuto, volte e tente de novo.',
    },
    busy: {
      title: 'Estamos muito ocupados agora',
      text: 'O que você salvou está guardado. Espere um minuto, volte e tente de novo.',
    },
    unsure: {
      title: 'Confira mais uma vez, por favor',
      text: 'A conexão caiu enquanto as suas respostas eram salvas. Abra o seu link de novo para ver se chegaram.',
    },
    broken: {
      title: 'Algo deu errado do nosso lado',
      text: 'O que você salvou está guardado. Volte e tente de novo em alguns minutos.',
    },
    again: 'Tentar de novo',
  },
};
