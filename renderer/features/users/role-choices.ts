import { roles } from '../../../core/contract/operation.ts';
import { roleWords } from '../../format/role.ts';

/** All roles, from least to most permissions. */
export const roleChoices = roles.map((value) => ({ value, label: roleWords[value] }));
