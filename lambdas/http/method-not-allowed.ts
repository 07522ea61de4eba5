import { CuevaultError } from '../core/errors.ts';

/** The path supports only other methods. The reply lists them in the header `allow`, as RFC 9110 requires. */
export class MethodNotAllowed extends CuevaultError {
  /** Value of the header. */
  readonly allow: string;

  constructor(method: string, path: string, allowed: readonly string[]) {
    const allow = allowed.join(', ');
    super('method_not_allowed', `${path} does not support ${method}. Use ${allow}.`);
    this.name = 'MethodNotAllowed';
    this.allow = allow;
  }
}
