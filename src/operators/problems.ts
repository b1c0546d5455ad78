/** The error codes of operators, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const operatorProblems: ProblemCatalogue = {
  operator_not_found: { kind: 'not_found', title: 'No such operator', remedy: 'Check the login.' },
  login_taken: { kind: 'conflict', title: 'The login is taken', remedy: 'Choose another one.' },
  last_admin: {
    kind: 'conflict',
    title: 'Too few admins would be left',
    remedy:
      'Make another operator an admin first. Where actions need a second operator, two admins must stay, who have chosen their passwords.',
  },
  own_account: {
    kind: 'conflict',
    title: 'You cannot change your own role or disable yourself',
    remedy: 'Ask another admin.',
  },
  password_required: {
    kind: 'forbidden',
    title: 'A one-time code must be exchanged for a password',
    remedy: 'Log in again with the code and the `newPassword` of your choice.',
  },
  second_factor_required: {
    kind: 'forbidden',
    title: 'The second factor is missing',
    remedy: 'Log in again with the `code` that your authenticator app shows.',
  },
  second_factor_not_set: {
    kind: 'forbidden',
    title: 'This account needs a second factor first',
    remedy: 'Sign in at `/console`, set up the second factor, and log in with its `code`.',
  },
  code_expired: {
    kind: 'forbidden',
    title: 'The one-time code has expired',
    remedy: 'Ask an admin for a new one. A code works for 24 hours.',
  },
  too_many_views: {
    kind: 'conflict',
    title: 'You have too many saved views',
    remedy: 'Delete one that you do not need.',
    exampleMembers: { max: 50 },
  },
  view_not_found: {
    kind: 'not_found',
    title: 'There is no such view',
    remedy: 'List the views. You can delete your own; admins also those that are shared.',
  },
  session_not_found: {
    kind: 'not_found',
    title: 'This session has ended',
    remedy: 'There is nothing left to do.',
  },
  password_wrong: {
    kind: 'forbidden',
    title: 'The current password is wrong',
    remedy: 'If you have forgotten it, ask an admin for a one-time code.',
  },
};
