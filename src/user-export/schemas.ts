/** The shape of what a user is told about the own data. */
import Type from 'typebox';
import { BeneficiaryShape } from '../beneficiaries/schemas.js';
import { time } from '../http/shapes.js';
import { CaseShape } from '../kyc/cases/schemas.js';
import { kycLevels } from '../kyc-level.js';
import { OrderBeneficiaryShape } from '../orders/api/schemas.js';
import { DisclosureShape } from '../orders/disclosure/schemas.js';
import { OrderShape } from '../orders/order/wire/order-shape.js';
import { TimelineShape } from '../orders/timeline/schemas.js';
import { ProfileShape } from '../users/schemas.js';

const ExportedOrderShape = Type.Object(
  {
    order: OrderShape,
    beneficiary: Type.Union([OrderBeneficiaryShape, Type.Null()], {
      description: 'Who receives the money, as `GET /orders/{id}/beneficiary` shows it. Null when it is not kept.',
    }),
    timeline: TimelineShape,
    disclosure: Type.Union([DisclosureShape, Type.Null()], {
      description: 'The disclosure that was accepted with the order. Null when none was.',
    }),
  },
  { title: 'ExportedOrder' },
);

export const UserExportShape = Type.Object(
  {
    exportedAt: time('When it was read.'),
    profile: ProfileShape,
    kycLevels: Type.Array(Type.Enum([...kycLevels]), { description: 'The levels that the user holds.' }),
    kycCases: Type.Array(CaseShape, { description: 'All identity checks.' }),
    answers: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
      description:
        'The newest answer to each question of the hosted form. Only with a token of the user: merchants do not see answers, and get null.',
    }),
    beneficiaries: Type.Array(BeneficiaryShape, { description: 'The saved beneficiaries.' }),
    orders: Type.Array(ExportedOrderShape, { description: 'All orders, the newest first.' }),
  },
  { title: 'UserExport' },
);
