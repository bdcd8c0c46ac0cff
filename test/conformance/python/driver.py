"""Drives the Python SDK: reads one call a line from standard input, and answers each with a line of what the SDK sent, heard and made of it."""
import inspect
import json
import os
import re
import sys

import requests
from requests.adapters import HTTPAdapter
from advancedbilling import models
from advancedbilling.advanced_billing_client import AdvancedBillingClient
from advancedbilling.api_helper import APIHelper
from advancedbilling.exceptions.api_exception import APIException
from advancedbilling.http.auth.basic_auth import BasicAuthCredentials

ABSENT = APIHelper.SKIP


class ToOurPort(HTTPAdapter):
    """Leads every connection to our port, with the Host header as the SDK means it, and keeps the last exchange."""

    exchange = {}

    def send(self, request, **options):
        address = re.match(r"https://([^/]+)(.*)", request.url)
        request.headers["Host"] = address[1]
        request.url = f"https://localhost:{os.environ['PORT']}{address[2]}"
        options["verify"] = os.environ["CERTIFICATE_FILE"]
        response = super().send(request, **options)
        self.exchange.update(
            method=request.method, path=address[2], sent=tree(request.body), status=response.status_code, raw=tree(response.text)
        )
        return response


def tree(text):
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


def model_of(name):
    module = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    found = getattr(sys.modules.get(f"advancedbilling.models.{module}"), name, None)
    return found or getattr(models, name, None)


def as_tree(value):
    """What the SDK made of an answer, under the names of the API; a required field that was absent is None."""
    if isinstance(value, list):
        return [as_tree(one) for one in value]
    if isinstance(value, dict):
        return {name: as_tree(one) for name, one in value.items()}
    if hasattr(value, "_names"):
        named = {api: getattr(value, name, ABSENT) for name, api in value._names.items()}
        named.update(getattr(value, "additional_properties", {}))
        return {name: as_tree(one) for name, one in named.items() if one is not ABSENT}
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def names_in(value):
    if isinstance(value, dict):
        return [name for key, one in value.items() for name in [key, *names_in(one)]]
    return [name for one in value for name in names_in(one)] if isinstance(value, list) else []


def typed(method, name, value):
    """An argument as the documented class; as it stands where that class would leave out what is in it (its falsy values)."""
    documented = re.search(rf"\b{name} (?:\(|-- )(\w+)", inspect.getdoc(method) or "")
    model = model_of(documented[1]) if documented else None
    if not isinstance(value, dict) or not hasattr(model, "from_dictionary"):
        return value
    made = model.from_dictionary(value)
    return made if sorted(names_in(as_tree(made))) == sorted(names_in(value)) else value


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def controllers(client):
    names = [name for name, one in vars(type(client)).items() if not name.startswith("_") and name != "config"]
    found = [getattr(client, name) for name in names]
    return [one for one in found if type(one).__name__.endswith("Controller")]


def run(client, call):
    ToOurPort.exchange = {}
    name = snake(call["operation"])
    method = next((getattr(one, name) for one in controllers(client) if hasattr(one, name)), None)
    if method is None:
        return {"outcome": "unknown"}
    given = {snake(key): value for key, value in call["arguments"].items() if value is not None}
    try:
        given = {key: typed(method, key, value) for key, value in given.items()}
        takes = inspect.signature(method).parameters
        result = method(given) if list(takes) == ["options"] else method(**{key: given[key] for key in takes if key in given})
    except APIException as error:
        return {"outcome": "refused", "error": str(error), **ToOurPort.exchange}
    except Exception as error:  # what a model raises has no type of its own
        outcome = "unreadable" if "status" in ToOurPort.exchange else "unsendable"
        return {"outcome": outcome, "error": f"{type(error).__name__}: {error}", **ToOurPort.exchange}
    return {"outcome": "read", "typed": as_tree(result), **ToOurPort.exchange}


def main():
    session = requests.Session()
    session.mount("https://", ToOurPort())
    client = AdvancedBillingClient(
        http_client_instance=session,
        site=os.environ["SUBDOMAIN"],
        basic_auth_credentials=BasicAuthCredentials(username=os.environ["API_KEY"], password="X"),
    )
    operations = [
        name for one in controllers(client) for name in vars(type(one)) if not name.startswith("_")
    ]
    print(json.dumps({"operations": operations}), flush=True)
    for line in sys.stdin:
        print(json.dumps(run(client, json.loads(line))), flush=True)


main()
