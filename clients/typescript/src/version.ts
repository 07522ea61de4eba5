/** Version of this package; the service's access history shows it as part of the user agent. */
export const VERSION = '0.1.0';
