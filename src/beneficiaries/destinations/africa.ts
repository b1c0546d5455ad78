/** Africa: mobile wallets where people use them, and the accounts of banks. */
import {
  accountNumber,
  bankSpecificNumber,
  bic,
  branchCode,
  iban,
  nigerianBank,
  nuban,
  rib,
} from '../fields/account-fields.js';
import { bankAccount, cashPickup, type Destination, mobileWallet, place } from './destination.js';

const kenya = place('KE', 'KES', 'Nairobi');
const ghana = place('GH', 'GHS', 'Kumasi');
const uganda = place('UG', 'UGX', 'Kampala');
const tanzania = place('TZ', 'TZS', 'Dar es Salaam');
const nigeria = place('NG', 'NGN', 'Lagos');
const morocco = place('MA', 'MAD', 'Casablanca');
const egypt = place('EG', 'EGP', 'Giza');

export const africa: readonly Destination[] = [
  bankAccount(kenya, bic('EQBLKENA'), bankSpecificNumber('0123456789012')),
  mobileWallet(kenya, 'M-PESA', 'Airtel Money'),
  bankAccount(ghana, bic('GHCBGHAC'), bankSpecificNumber('1011130012345')),
  mobileWallet(ghana, 'MTN MoMo', 'Telecel Cash', 'AT Money'),
  bankAccount(uganda, bic('SBICUGKX'), bankSpecificNumber('9030001234567')),
  mobileWallet(uganda, 'MTN MoMo', 'Airtel Money'),
  bankAccount(tanzania, bic('CORUTZTZ'), bankSpecificNumber('0152123456789')),
  mobileWallet(tanzania, 'M-Pesa', 'Mixx by Yas', 'Airtel Money', 'HaloPesa'),
  bankAccount(nigeria, nigerianBank, nuban),
  cashPickup(nigeria),
  bankAccount(morocco, rib),
  cashPickup(morocco),
  bankAccount(egypt, iban('EG380019000500000000263180002')),
  cashPickup(egypt),
  bankAccount(
    place('ZA', 'ZAR', 'Johannesburg'),
    branchCode('Universal branch code', '250655'),
    accountNumber(7, 11, '62001234567'),
  ),
];
