"""The client of Remesa for Python 3.9 and later. One file and a table beside it; no dependencies.

    from remesa import Remesa

    remesa = Remesa("http://127.0.0.1:3000", "demo", "demo-secret")
    quote = remesa.rates.create({"fiatIn": "EUR", "fiatOut": "MXN", "amountIn": 100})

The methods are those of the client for TypeScript, in Python's spelling. Numbers of an answer are `Decimal`, so that
amounts are exact. A call is safe to repeat, and is repeated, when it only reads or has an idempotency key.
"""

import base64
import hashlib
import hmac
import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from decimal import Decimal

from remesa_operations import OPERATIONS

RETRIES = 2
TIMEOUT_SECONDS = 30
LONGEST_WAIT_SECONDS = 30
TOLERANCE_SECONDS = 300
REPEATED = {429, 502, 503, 504}


class RemesaError(Exception):
    """The service refused a call. `code` is for programs, the message for people; `problem` has all of its members."""

    def __init__(self, status, problem, retry_after=None):
        super().__init__(problem.get("detail") or problem.get("error_description") or f"The service answered {status}.")
        self.status = status
        self.code = problem.get("code") or problem.get("error") or "unknown"
        self.request_id = problem.get("requestId")
        self.problem = problem
        self.retry_after = retry_after


class NoAnswer(Exception):
    """Nobody knows whether the call was carried out. Repeat it with the same idempotency key."""


class NotSent(NoAnswer):
    """The service did not answer when it was asked for a token, so the call was not carried out."""


class WebhookRefused(ValueError):
    """The request was not sent by the service, was changed, or is too old. Answer 401."""


class Remesa:
    """`users`, `orders` and so on have the calls: `remesa.orders.create(order, user_id=7, idempotency_key="invoice-9")`."""

    def __init__(self, url, client_id, client_secret, retries=RETRIES, timeout=TIMEOUT_SECONDS):
        self._url = url.rstrip("/")
        self._credentials = (client_id, client_secret)
        self._retries = retries
        self._timeout = timeout
        self._token = (None, 0.0)
        self._token_lock = threading.Lock()
        for name, methods in OPERATIONS.items():
            setattr(self, name, _Resource(self, name, methods))

    def call(self, method, path, body=None, query=None, idempotency_key=None):
        """Sends a call to any path. Returns the answer. Raises RemesaError, NoAnswer and NotSent."""
        return self._exchange(method, path, body, query, idempotency_key)[0]

    def pages(self, path, query=None):
        """Yields the items of a list, page after page."""
        while path:
            items, headers = self._exchange("GET", path, None, query, None)
            yield from items
            path, query = _next_page(headers.get("link", "")), None

    def _exchange(self, method, path, body, query, key):
        address = self._url + path + _query_text(query)
        is_safe = method == "GET" or key is not None
        renewed = False
        attempt = 0
        while True:
            # Without a token the call is not sent, and so is always safe to repeat.
            is_sent = False
            try:
                headers = {"Authorization": f"Bearer {self._access_token()}", "Accept": "application/json"}
                if key is not None:
                    headers["Idempotency-Key"] = key
                is_sent = True
                return self._send(method, address, headers, body)
            except RemesaError as error:
                if error.status == 401 and is_sent and not renewed:
                    # The token has ended early. The call was not carried out.
                    renewed, self._token = True, (None, 0.0)
                    continue
                wait = error.retry_after
                if error.status not in REPEATED or (is_sent and not is_safe) or attempt >= self._retries:
                    raise
                if wait is not None and wait > LONGEST_WAIT_SECONDS:
                    raise
            except NoAnswer as error:
                wait = None
                if attempt >= self._retries and not is_sent:
                    raise NotSent(str(error)) from error
                if attempt >= self._retries or (is_sent and not is_safe):
                    raise
            time.sleep(wait if wait is not None else 0.5 * 2**attempt * random.uniform(0.5, 1.5))
            attempt += 1

    def _send(self, method, address, headers, body, form=None):
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body, default=_number).encode(), "application/json"
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(address, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                headers = {name.lower(): value for name, value in answer.headers.items()}
                data = answer.read()
                # Reports are CSV, receipts can be pages.
                is_json = "json" in headers.get("content-type", "json")
                return (_parsed(data) if is_json else data.decode()), headers
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer(f"{method} {address}: {error}") from error

    def _access_token(self):
        with self._token_lock:
            token, until = self._token
            if token is None or time.monotonic() > until:
                client = ":".join(urllib.parse.quote(part, safe="") for part in self._credentials)
                headers = {"Authorization": f"Basic {base64.b64encode(client.encode()).decode()}"}
                form = {"grant_type": "client_credentials"}
                answer, _ = self._send("POST", f"{self._url}/oauth/token", headers, None, form)
                # A minute early, so that it does not end on its way.
                token, until = answer["access_token"], time.monotonic() + int(answer["expires_in"]) - 60
                self._token = (token, until)
            return token


class _Resource:
    def __init__(self, remesa, name, methods):
        self._remesa, self._name, self._methods = remesa, name, methods

    def __getattr__(self, method):
        if method not in self._methods:
            raise AttributeError(f"{self._name} has no {method}. It has {', '.join(sorted(self._methods))}.")
        return _call_of(self._remesa, *self._methods[method])


def _call_of(remesa, http_method, path, takes_key, is_list):
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]

    def call(*arguments, idempotency_key=None, **query):
        """The ids of the path, then the body; the query by name, `user_id` for the user."""
        if len(arguments) < len(names):
            raise TypeError(f"{http_method} {path} needs {', '.join(names)}")
        filled = path
        for name, value in zip(names, arguments):
            filled = filled.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
        body = arguments[len(names)] if len(arguments) > len(names) else None
        named = {_camel(name): value for name, value in query.items() if value is not None}
        if is_list:
            return remesa.pages(filled, named)
        key = idempotency_key or (str(uuid.uuid4()) if takes_key else None)
        return remesa.call(http_method, filled, body, named, key)

    return call


def read_notification(secrets, headers, body):
    """Returns the event. Raises WebhookRefused. `body` is bytes; `secrets` are yours, during a rotation both."""
    named = {name.lower(): value for name, value in dict(headers).items()}
    event_id, sent_at = named.get("webhook-id", ""), named.get("webhook-timestamp", "")
    signed = f"{event_id}.{sent_at}.".encode() + body
    signatures = named.get("webhook-signature", "").encode().split(b" ")
    keys = [base64.b64decode(secret[len("whsec_") :]) for secret in secrets]
    expected = [b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    if not any(hmac.compare_digest(each, signature) for each in expected for signature in signatures):
        raise WebhookRefused("not signed by Remesa")
    if abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        raise WebhookRefused("sent more than five minutes ago")
    return {"id": event_id, **_parsed(body)}


def _parsed(data):
    return json.loads(data, parse_float=Decimal) if data else None


def _number(value):
    """JSON has no decimals of its own. An amount has at most 15 digits, which a float keeps."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


def _refusal(error):
    try:
        problem = _parsed(error.read()) or {}
    except (ValueError, OSError, http.client.HTTPException):
        problem = {}
    wait = error.headers.get("retry-after", "")
    return RemesaError(error.code, problem, int(wait) if wait.isdigit() else None)


def _query_text(query):
    written = {name: str(value).lower() if isinstance(value, bool) else value for name, value in (query or {}).items()}
    return f"?{urllib.parse.urlencode(written)}" if written else ""


def _next_page(link):
    if 'rel="next"' not in link:
        return None
    return link.split("<", 1)[1].split(">", 1)[0]


def _camel(name):
    first, *others = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in others)
