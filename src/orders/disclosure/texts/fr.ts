/** French texts of the disclosure. */
import type { DisclosureCatalogue } from './catalogue.js';

export const french: DisclosureCatalogue = {
  title: 'Avant de payer',
  notAReceipt: 'Ceci n’est pas un reçu.',
  costs: 'Ce que cela coûte',
  transferAmount: 'Montant du transfert',
  fee: 'Frais de transfert',
  taxes: 'Taxes sur le transfert',
  total: 'Total à payer',
  exchangeRate: 'Taux de change',
  markup: 'Au-dessus du taux de référence de {{source}}',
  conversionCost: 'Coût du taux de change',
  totalCost: 'Coût total',
  arrives: 'Ce qui arrive',
  totalToRecipient: 'Total pour le bénéficiaire',
  otherFees: 'Le bénéficiaire peut recevoir moins en raison des frais prélevés par sa banque et des taxes étrangères.',
  country: 'Payé en',
  method: 'Comment',
  availableOn: 'Disponible pour le bénéficiaire au plus tard le',
  availableIf: 'Si votre paiement arrive aujourd’hui.',
  rights: 'Vos droits',
  cancelUs:
    'Vous pouvez annuler et être remboursé intégralement dans les {{minutes}} minutes suivant le paiement, sauf si l’argent a déjà été retiré ou déposé.',
  cancel: 'Vous pouvez annuler tant que l’argent n’est pas parti vers le bénéficiaire.',
  errorsUs:
    'Vous avez le droit de contester des erreurs dans votre opération. Si vous pensez qu’il y a une erreur, contactez {{licensee}} dans les 180 jours suivant la date à laquelle l’argent devait être disponible.',
  agencyUs:
    'Pour toute question ou réclamation, vous pouvez aussi contacter le Consumer Financial Protection Bureau : 855-411-2372, 855-729-2372 (TTY/TDD), www.consumerfinance.gov.',
  errorsEu:
    'Signalez à {{licensee}} sans tarder, et au plus tard 13 mois après le débit, un paiement que vous n’avez pas ordonné ou qui s’est mal passé : il est alors corrigé ou remboursé.',
  refusalEu: 'Si le transfert est refusé, vous en êtes informé, avec le motif lorsque la loi le permet.',
};
