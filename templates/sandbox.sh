#!/bin/sh
# An integration test in any language: start the sandbox, read its first line, call it by HTTP, and ask what it got.
# ASSAY is the command, for example "npx assay".
set -eu
folder=$(mktemp -d)
cat > "$folder/data.yaml" <<DATA
installments:
  offers:
    - offerId: offer-01
      merchant: { merchantLegalName: My Lamps, countryCode: USA, acquirerICA: "001111" }
      transaction: { amount: 120, currency: USD }
  plans: [{ planId: 11111111-1111-4111-8111-111111111111, offerId: offer-01, status: APPROVED }]
DATA
${ASSAY:-npx assay} mock --service installments --data "$folder/data.yaml" > "$folder/first-line" &
sandbox=$!
trap 'kill $sandbox; rm -r "$folder"' EXIT
until [ -s "$folder/first-line" ]; do
  kill -0 $sandbox
  sleep 0.1
done
base=$(sed 's/.*"installments":"\([^"]*\)".*/\1/' "$folder/first-line")
origin=${base%/installments}

curl -sSf "$base/plans/11111111-1111-4111-8111-111111111111" | grep '"APPROVED"'

# A lost connection, as the client may meet it.
curl -sSf "$origin/__sandbox/troubles" -d '{"troubles": [{"operation": "getPlan", "connection": "dropped"}]}' > /dev/null
if curl -sS "$base/plans/11111111-1111-4111-8111-111111111111" 2> /dev/null; then exit 1; fi
curl -sSf -X DELETE "$origin/__sandbox/troubles"

# Whether the plan was asked for twice.
curl -sSf "$origin/__sandbox/verify" -d '{"calls": [{"operation": "getPlan", "times": 2}]}' | grep '"verified":true'
