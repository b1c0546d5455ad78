/** The Americas: national account numbers with check digits where there are some, bank and account number elsewhere. */
import {
  accountNumber,
  accountType,
  bankSpecificNumber,
  bic,
  cbu,
  cci,
  clabe,
  cnpj,
  colombianDocument,
  cpf,
  cuit,
  iban,
  institutionNumber,
  pixKey,
  routingNumber,
  rut,
  transitNumber,
} from '../fields/account-fields.js';
import { bankAccount, cashPickup, type Destination, place } from './destination.js';

const mexico = place('MX', 'MXN', 'Guadalajara');
const colombia = place('CO', 'COP', 'Medellín');
const peru = place('PE', 'PEN', 'Lima');
const dominicanRepublic = place('DO', 'DOP', 'Santiago');
const guatemala = place('GT', 'GTQ', 'Ciudad de Guatemala');
const honduras = place('HN', 'HNL', 'San Pedro Sula');

export const americas: readonly Destination[] = [
  bankAccount(mexico, clabe),
  cashPickup(mexico),
  bankAccount(
    colombia,
    bic('COLOCOBM'),
    bankSpecificNumber('12345678901'),
    accountType('savings', 'checking'),
    ...colombianDocument,
  ),
  cashPickup(colombia),
  bankAccount(peru, cci),
  cashPickup(peru),
  bankAccount(place('BR', 'BRL', 'São Paulo'), pixKey, { ...cpf, onlyFor: 'person' }, { ...cnpj, onlyFor: 'company' }),
  bankAccount(place('AR', 'ARS', 'Rosario'), cbu, cuit),
  bankAccount(
    place('CL', 'CLP', 'Valparaíso'),
    bic('BCHICLRM'),
    bankSpecificNumber('0001234567'),
    accountType('checking', 'vista', 'savings'),
    rut,
  ),
  bankAccount(dominicanRepublic, bic('BPDODOSX'), bankSpecificNumber('800123456'), accountType('savings', 'checking')),
  cashPickup(dominicanRepublic),
  bankAccount(guatemala, iban('GT82TRAJ01020000001210029690')),
  cashPickup(guatemala),
  bankAccount(honduras, bic('FICOHNTE'), bankSpecificNumber('2001234567'), accountType('savings', 'checking')),
  cashPickup(honduras),
  bankAccount(place('BO', 'BOB', 'Santa Cruz'), bic('MERCBOLX'), bankSpecificNumber('4010123456')),
  bankAccount(
    place('US', 'USD', 'Houston'),
    routingNumber,
    accountNumber(4, 17, '000123456789'),
    accountType('checking', 'savings'),
  ),
  bankAccount(place('CA', 'CAD', 'Toronto'), institutionNumber, transitNumber, accountNumber(7, 12, '1234567')),
];
