/** Portuguese texts of the disclosure. */
import type { DisclosureCatalogue } from './catalogue.js';

export const portuguese: DisclosureCatalogue = {
  title: 'Antes de pagar',
  notAReceipt: 'Isto não é um recibo.',
  costs: 'Quanto custa',
  transferAmount: 'Valor da transferência',
  fee: 'Taxas da transferência',
  taxes: 'Impostos da transferência',
  total: 'Total a pagar',
  exchangeRate: 'Taxa de câmbio',
  markup: 'Acima da taxa de referência de {{source}}',
  conversionCost: 'Custo da taxa de câmbio',
  totalCost: 'Custo total',
  arrives: 'O que chega',
  totalToRecipient: 'Total para o destinatário',
  otherFees: 'O destinatário pode receber menos devido a taxas cobradas pelo seu banco e a impostos estrangeiros.',
  country: 'Pago em',
  method: 'Como',
  availableOn: 'Disponível para o destinatário até',
  availableIf: 'Se o seu pagamento chegar hoje.',
  rights: 'Os seus direitos',
  cancelUs:
    'Pode cancelar com reembolso total nos {{minutes}} minutos seguintes ao pagamento, salvo se o dinheiro já tiver sido levantado ou depositado.',
  cancel: 'Pode cancelar até o dinheiro seguir para o destinatário.',
  errorsUs:
    'Tem o direito de contestar erros na sua transação. Se acha que há um erro, contacte {{licensee}} nos 180 dias seguintes à data em que o dinheiro deveria estar disponível.',
  agencyUs:
    'Para perguntas ou reclamações também pode contactar o Consumer Financial Protection Bureau: 855-411-2372, 855-729-2372 (TTY/TDD), www.consumerfinance.gov.',
  errorsEu:
    'Comunique a {{licensee}} sem demora, e no máximo 13 meses após o débito, um pagamento que não ordenou ou que correu mal: será corrigido ou reembolsado.',
  refusalEu: 'Se a transferência for recusada, é informado, com o motivo quando a lei o permite.',
};
