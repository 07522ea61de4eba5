/** A reply in the JSON protocol of DynamoDB and KMS. */
export interface AwsReply {
  readonly status: number;
  readonly body: string;
}

export const awsReply = (fields: object): AwsReply => ({ status: 200, body: JSON.stringify(fields) });

/** An error in the format of AWS. `type` is the name of the exception. */
export const awsFailure = (type: string, message: string): AwsReply => ({
  status: 400,
  body: JSON.stringify({ __type: type, message }),
});

export const unsupported = (): AwsReply =>
  awsFailure('UnknownOperationException', 'This operation is not supported here.');
