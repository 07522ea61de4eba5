import { byNeed } from '../../../components/states.tsx';

/** A form that fills in the variables of a template, with what the service would return. */
export const TryIt = byNeed(() => import('./try-it.tsx'));
