/** French texts that all hosted pages have. */
import type { HostedWords } from './catalogue.js';

export const french: HostedWords = {
  frame: {
    skip: 'Aller au contenu',
    language: 'Langue',
    errorTitle: 'Erreur : {{title}}',
    problem: 'Il y a un problème',
    helpHeading: 'Besoin d’aide ?',
    helpMail: 'Écrivez à {{merchant}} : {{email}}',
    helpPage: 'Aide de {{merchant}}',
    helpAsk: 'Demandez à {{merchant}}, qui vous a envoyé ici.',
    returnTo: 'Retour à {{merchant}}',
    reference: 'Référence : {{id}}',
    licensedBy: 'L’argent est transféré par {{name}}, {{address}}. {{licence}}, numéro {{number}}.',
    supervisedBy: 'Autorité de surveillance : {{supervisor}}, {{phone}}.',
    complaints: 'Réclamations : {{email}}',
  },
  failures: {
    notFound: {
      title: 'Cette page n’existe pas',
      text: 'L’adresse est peut-être incomplète. Ouvrez à nouveau le lien que vous avez reçu.',
    },
    unreadable: {
      title: 'Lecture impossible',
      text: 'Ce que votre navigateur a envoyé n’est pas bien arrivé. Revenez en arrière et réessayez.',
    },
    tooLarge: {
      title: 'C’était trop volumineux',
      text: 'Les fichiers sont trop volumineux. Revenez en arrière et choisissez-en de plus petits, un par un.',
    },
    tooMany: {
      title: 'Trop de tentatives',
      text: 'Il y a eu de nombreux essais en peu de temps. Attendez une minute, puis revenez en arrière et réessayez.',
    },
    busy: {
      title: 'Nous sommes très sollicités',
      text: 'Ce que vous avez enregistré est conservé. Attendez une minute, puis revenez en arrière et réessayez.',
    },
    unsure: {
      title: 'Merci de vérifier encore une fois',
      text: 'La connexion a été coupée pendant l’enregistrement de vos réponses. Rouvrez votre lien pour voir si elles sont arrivées.',
    },
    broken: {
      title: 'Une erreur s’est produite de notre côté',
      text: 'Ce que vous avez enregistré est conservé. Revenez en arrière et réessayez dans quelques minutes.',
    },
    again: 'Réessayer',
  },
};
