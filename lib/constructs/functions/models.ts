import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Stack } from 'aws-cdk-lib/core';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { type Model, modelIdOf } from '../../settings.ts';
import { allowed } from '../shared.ts';

/**
 * Lets a function ask models. A profile needs itself and the model in each of its destinations, which can be asked through
 * the profile alone (Amazon Bedrock User Guide, "Prerequisites for inference profiles").
 */
export const letAsk = (fn: LambdaFunction, models: readonly Model[]): void => {
  const { partition, region, account } = Stack.of(fn);
  const allow = (resources: string[], conditions = {}) =>
    fn.addToRolePolicy(allowed('bedrock', ['InvokeModel'], resources, conditions));
  const modelIn = (place: string, id: string) => `arn:${partition}:bedrock:${place}::foundation-model/${id}`;
  for (const each of models) {
    const { id, regions } = each;
    if (regions === undefined) {
      allow([modelIn(region, id)]);
      continue;
    }
    const profile = `arn:${partition}:bedrock:${region}:${account}:inference-profile/${id}`;
    allow([profile]);
    allow(
      regions.map((place) => modelIn(place, modelIdOf(each))),
      { StringEquals: { 'bedrock:InferenceProfileArn': profile } },
    );
  }
  fn.addEnvironment(ENVIRONMENT.models, models.map(({ id }) => id).join());
};
