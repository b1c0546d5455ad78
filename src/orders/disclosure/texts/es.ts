/** Spanish texts of the disclosure. */
import type { DisclosureCatalogue } from './catalogue.js';

export const spanish: DisclosureCatalogue = {
  title: 'Antes de pagar',
  notAReceipt: 'Esto no es un recibo.',
  costs: 'Cuánto cuesta',
  transferAmount: 'Cantidad de la transferencia',
  fee: 'Cargos por la transferencia',
  taxes: 'Impuestos de la transferencia',
  total: 'Total a pagar',
  exchangeRate: 'Tipo de cambio',
  markup: 'Por encima del tipo de referencia de {{source}}',
  conversionCost: 'Coste del tipo de cambio',
  totalCost: 'Coste total',
  arrives: 'Qué llega',
  totalToRecipient: 'Total para el destinatario',
  otherFees:
    'El destinatario puede recibir menos debido a los cargos cobrados por su banco y a los impuestos extranjeros.',
  country: 'Se paga en',
  method: 'Cómo',
  availableOn: 'Disponible para el destinatario a más tardar el',
  availableIf: 'Si su pago llega hoy.',
  rights: 'Sus derechos',
  cancelUs:
    'Puede cancelar y recibir el reembolso completo dentro de los {{minutes}} minutos posteriores al pago, salvo que el dinero ya se haya recogido o depositado.',
  cancel: 'Puede cancelar hasta que el dinero salga hacia el destinatario.',
  errorsUs:
    'Usted tiene derecho a disputar errores en su transacción. Si cree que hay un error, contacte con {{licensee}} dentro de los 180 días posteriores a la fecha en que el dinero debía estar disponible.',
  agencyUs:
    'Para preguntas o quejas también puede contactar con la Oficina para la Protección Financiera del Consumidor: 855-411-2372, 855-729-2372 (TTY/TDD), www.consumerfinance.gov.',
  errorsEu:
    'Comunique a {{licensee}} sin demora, y como máximo 13 meses después del cargo, un pago que no ordenó o que salió mal: se corregirá o se le devolverá.',
  refusalEu: 'Si la transferencia se rechaza, se le comunica, con el motivo si la ley lo permite.',
};
