import { roles } from '../../../core/contract/operation.ts';
import { roleLabels } from '../../format/role.ts';

/** All roles, from least to most permissions. */
export const roleChoices = roles.map((value) => ({ value, label: roleLabels[value] }));
