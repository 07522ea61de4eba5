// Replaces the SDK's chain of credential providers in the bundles: Lambda provides credentials only in the environment,
// and the rest of the chain is a quarter of a bundle.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
